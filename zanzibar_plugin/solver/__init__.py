"""Exact play, worked out from the rules alone: for bots, advice and tables of odds.

`chances` looks at one go by itself and needs nothing but Python.  All else needs numpy, the extra
`solver`; `advisor` is the door to it and can say whether it is there.

Two players are solved exactly, three in the last phase as an equilibrium, and any other table is
played by an estimate of one turn.
"""
