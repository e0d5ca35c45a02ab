"""What a callback sees of a run."""

from __future__ import annotations

from dataclasses import dataclass

from elbowroom.chain import Chain


@dataclass(frozen=True, eq=False)
class State:
    """What a callback is given: how far a run has got. The chains are those that walk: do not change them.

    Attributes
    ----------
    step
        Steps that were made.
    chains
        The chain; with tempering one for each temperature; several chains as they were given.
    observables
        The latest row: a number for each name, with tempering an array (temperatures,), of several chains
        (chains,).
    acceptance
        The share of each move that was accepted so far; NaN where none was tried.
    temperatures
        As they were asked for; () without an energy.

    Examples
    --------
    >>> import elbowroom as er
    >>> seen: list[int] = []
    >>> def hear(state: er.sampling.State) -> None:
    ...     seen.append(state.step)
    >>> _ = er.sampling.sample(er.sampling.polymer(20), steps=300, every=100, callback=hear)
    >>> seen
    [100, 200, 300]
    """

    step: int
    chains: tuple[Chain, ...]
    observables: dict[str, float | tuple[float, ...]]
    acceptance: dict[str, float]
    temperatures: tuple[float, ...]

    @property
    def chain(self) -> Chain:
        """The chain; with tempering, the coldest; of several, the first."""
        return self.chains[0]
