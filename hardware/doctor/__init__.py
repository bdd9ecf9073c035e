"""The wiring doctor: checks every part of a kit, and gives each fault with its remedy.

Reading the machine (`gpio.look`, a bus, a port, a folder of /proc or /sys) is separate from judging, so that each can
be tested. All faults are in `findings`.
"""
