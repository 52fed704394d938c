"""A room: tables, the people and bots at them, and a journal that forgets nothing.

What is here knows games through the hooks alone, and nothing of how people are connected.
"""
