"""Monte Carlo sampling of chains: polymers by pivots, proteins by torsions, with errors for every estimate.

`sample` walks through the states of a chain that are free of collisions, with an energy if there is one, at
one temperature or at several that exchange; `Move` says how moves are made. It returns a `Run`: observables,
how often moves were accepted, estimates with errors; in a folder it leaves a trajectory, tables and
checkpoints that it can go on from. `polymer` and `ring` make chains to begin with, and `relax` frees one that
collides. `estimate` and `autocorrelation` look at any series, `fit_exponent` at how sizes grow with the
number of links. A `Spec` is a whole run in a file, and `campaign` makes many of them in many processes.

>>> import elbowroom as er
>>> run = er.sampling.sample(er.sampling.polymer(50), steps=10_000, seed=1)
>>> 6 < run.estimate("end_to_end").mean < 18
True
"""

from ._walk.state import State
from .campaign import Campaign, CampaignError, campaign
from .moves import Move
from .polymer import polymer, ring
from .relax import relax
from .run import Run
from .sample import sample
from .scaling import ExponentFit, fit_exponent
from .series import Estimate, autocorrelation, autocorrelation_time, estimate
from .spec import Spec, SpecError, read_spec

__all__ = [
    "Campaign",
    "CampaignError",
    "Estimate",
    "ExponentFit",
    "Move",
    "Run",
    "Spec",
    "SpecError",
    "State",
    "autocorrelation",
    "autocorrelation_time",
    "campaign",
    "estimate",
    "fit_exponent",
    "polymer",
    "read_spec",
    "relax",
    "ring",
    "sample",
]
