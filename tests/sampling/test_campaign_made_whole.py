"""What is made for a campaign is whole and is closed, whenever a signal comes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from stopping import heeding_ctrl_c

from elbowroom.sampling._campaign.made_whole import made_whole


@contextmanager
def noting(events: list[str], number: signal.Signals | None) -> Iterator[str]:
    """Gets a signal while it is made."""
    events.append("begun")
    if number is not None:
        signal.raise_signal(number)
    events.append("made")
    try:
        yield "thing"
    finally:
        events.append("closed")


def use(events: list[str], number: signal.Signals | None) -> None:
    with made_whole(lambda: noting(events, number)) as thing:
        events.append(thing)


def test_a_signal_waits_until_it_is_made() -> None:
    events: list[str] = []
    with heeding_ctrl_c():
        with pytest.raises(KeyboardInterrupt):
            use(events, signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert events == ["begun", "made", "closed"]


def test_without_a_signal_it_is_a_plain_context() -> None:
    events: list[str] = []
    thread = threading.Thread(target=use, args=(events, None))
    thread.start()
    thread.join()
    use(events, None)
    assert events == ["begun", "made", "thing", "closed"] * 2


def test_a_constructor_that_fails_restores_the_handlers() -> None:
    def fail() -> None:
        raise ValueError("no")

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(ValueError, match="no"), made_whole(fail):  # type: ignore[arg-type]
        pass
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
