"""How calls that take long are ended: by Ctrl-C in the main thread, or from another thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elbowroom import _core
from elbowroom._core import Cancelled

if TYPE_CHECKING:
    import threading

__all__ = ["Cancelled", "cancel"]


def cancel(thread: threading.Thread | int) -> bool:
    """End the call of the library that a thread is in; it then raises `Cancelled`.

    Long calls check for this about forty times a second, as they do for signals. Bodies stay valid: questions
    change nothing, and a series of changes stops between two of them.

    Parameters
    ----------
    thread
        A thread, or its `ident`.

    Returns
    -------
    bool
        Whether the thread was in such a call. If not, nothing happens to it. A call that is about to end by
        itself may still do so: a thread that makes many short calls needs a flag of its own.

    Examples
    --------
    >>> import threading, time
    >>> import numpy as np, elbowroom as er
    >>> chain = er.Chain(er.scenes.serpentine(1000), 1.0)
    >>> def work():
    ...     try:
    ...         chain.try_torsions(np.tile(np.arange(900), 10_000), np.full(9_000_000, 1e-9), stay=True)
    ...     except er.Cancelled as error:
    ...         print(error)
    >>> thread = threading.Thread(target=work)
    >>> thread.start()
    >>> while thread.is_alive() and not er.cancel(thread):
    ...     time.sleep(0.001)
    >>> thread.join()
    the call was cancelled by another thread
    """
    import threading

    if isinstance(thread, threading.Thread):
        return thread.ident is not None and _core.cancel(thread.ident)
    if isinstance(thread, bool) or not isinstance(thread, int) or thread < 0:
        raise ValueError(f"thread must be a threading.Thread or its ident, got {thread!r:.80}")
    return _core.cancel(thread)
