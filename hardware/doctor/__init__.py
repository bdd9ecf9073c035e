"""The wiring doctor: looks at every part of a kit and says for each what is right, or what is wrong and what to do.

Reading the machine (`lines.look`, a bus, a port, a folder of /proc or /sys) stands apart from judging what was read, so
that each can be tested. All that can be found is in `catalogue`.
"""
