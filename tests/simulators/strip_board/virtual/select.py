"""Waiting in virtual time: it passes only while the controller waits, and only as far as the test allows.

The test writes lines to the pipe whose name is in STRIP_BOARD. A number lets so many ms pass once all input is taken,
`memory` asks how many bytes are in use, `fed` how often the watchdog was. Each is answered on standard error.
"""

import gc
import os
import sys
import time

import machine
import uselect

POLLIN = uselect.POLLIN

control = open(os.getenv("STRIP_BOARD"), "rb")
allowed_ms = 0
asked = False


class poll:
    """The part of MicroPython's own that the controller uses."""

    def register(self, stream, flags):
        self._stdin = uselect.poll()
        self._stdin.register(stream, flags)
        self._both = uselect.poll()
        self._both.register(stream, flags)
        self._both.register(control, flags)

    def ipoll(self, wait_ms):
        global allowed_ms, asked
        if wait_ms <= 0:
            return self._stdin.ipoll(0)
        while wait_ms > 0:
            if self._stdin.poll(0):
                return (1,)
            if allowed_ms:
                step = min(allowed_ms, wait_ms)
                allowed_ms -= step
                wait_ms -= step
                time.passed += step
                continue
            if asked:
                asked = False
                sys.stderr.write("at %d\n" % time.passed)
            self._both.poll(-1)
            if not self._stdin.poll(0):
                self._obey(control.readline().strip())
        return ()

    def _obey(self, command):
        global allowed_ms, asked
        if not command:
            sys.exit(0)  # the test is over
        if command == b"memory":
            gc.collect()
            sys.stderr.write("memory %d\n" % gc.mem_alloc())
        elif command == b"fed":
            sys.stderr.write("fed %d\n" % machine.fed)
        else:
            allowed_ms += int(command)
            asked = True
