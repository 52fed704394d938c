"""What tests of pages share."""

import pytest


@pytest.fixture(scope="module")
def browser():
    """Not longer than a module: while its driver runs, no other event loop can in this thread."""
    from browser import chromium

    with chromium() as made:
        yield made
