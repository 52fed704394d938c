"""Timers by name, put off or brought forward."""

import asyncio

from zanzibar_plugin.room.timers import Timers


def test_a_timer_goes_off_once_at_its_last_time():
    async def play():
        loop, timers, rung = asyncio.get_running_loop(), Timers("test"), []

        def ring(what):
            async def act():
                rung.append((what, loop.time()))

            return act

        begun = loop.time()
        timers.set("later", 0.02, ring("too early"))
        timers.set("later", 0.2, ring("put off"))
        timers.set("sooner", 5, ring("too late"))
        timers.set("sooner", 0.05, ring("brought forward"))
        timers.set("gone", 0.01, ring("put off and cancelled"))
        timers.set("gone", 0.1, ring("put off and cancelled"))
        timers.cancel("gone")
        assert timers.names() == ("later", "sooner")
        while timers.names():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        return begun, rung

    begun, rung = asyncio.run(play())
    assert [what for what, _ in rung] == ["brought forward", "put off"]
    assert all(when - begun > due - 0.001 for (_, when), due in zip(rung, (0.05, 0.2), strict=True))


def test_a_cancelled_timer_can_be_set_anew():
    async def play():
        timers, rung = Timers("test"), asyncio.Event()

        async def ring():
            rung.set()

        timers.set("one", 5, ring)
        timers.cancel("one")
        timers.cancel("one")
        timers.set("one", 0.01, ring)
        await asyncio.wait_for(rung.wait(), 2)
        assert timers.names() == ()

    asyncio.run(play())
