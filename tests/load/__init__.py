"""Real games by real sockets against a room in a process of its own: what it bears, and how fast.

`python -m tests.load` (or `make load`) runs all parts; the figures are in `docs/performance.md`.
"""
