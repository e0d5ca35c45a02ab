"""Ctrl-C and SIGTERM in tests, also where Ctrl-C is ignored: by nohup, in the background, by many CI runners.

A process inherits that SIGINT is ignored, and Python then sets no handler of its own. So a test that is about
Ctrl-C sets one, for itself by `heeding_ctrl_c` or for a child by `HEEDING`; all others send SIGTERM.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: Programs that run the command line: as it is, and with Ctrl-C heeded or ignored whoever starts them.
MAIN = "import sys; from elbowroom.cli import main; sys.exit(main())"
HEEDING = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {MAIN}"
IGNORING = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {MAIN}"


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """Within it SIGINT raises KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def sent_soon(number: signal.Signals, seconds: float = 0.2) -> Iterator[None]:
    """Within it this process gets the signal."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), number))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
