"""From the folder on the card to the running kit, at every start of the machine.

It runs as root and needs the standard library alone: when it runs first, nothing of the kit is installed, no Pillow, no
luma, and the display's bus is off. Then it runs from the folder on the boot partition, later from a copy of it.
"""
