"""Runs as data: TOML and dictionaries in, a checked Spec out, and errors that name file, table and key."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peptide import pdb_text, peptide

import elbowroom as er
from elbowroom.sampling.moves import Move
from elbowroom.sampling.spec import Spec, SpecError, read_spec

BEADS: dict[str, Any] = {"chain": {"beads": 20}, "run": {"steps": 1000}}
WARM: dict[str, Any] = BEADS | {"energy": {"sigma": 1.0}, "run": {"steps": 1000, "temperature": 2.0}}
WHOLE = """
[chain]
pdb = "../proteins/small.pdb"
atoms = "backbone"
scale = 0.6

[moves]
torsion = 2
pivot = { weight = 0.5, size_degrees = 90, joints = [4, 5, 6] }

[energy]
form = "lennard-jones"
epsilon = 0.5
sigma = 3
cutoff = 9.0
shift = true

[run]
steps = 1e4
every = 20
seed = 9223372036854775807
burn_in = 1_000
temperature = [1, 2.5, inf]
swap_every = 50
observables = ["end_to_end", "contacts"]
contact_reach = 4.0

[output]
folder = "results"
frames = 0
checkpoint = 500

[campaign]
replicas = 3
grid.chain.atoms = ["backbone", "ca"]
grid."run.steps" = [1e3, 1e4]
workers = 2
"""


def spec_of(tables: dict[str, Any], **changes: Any) -> Spec:
    return Spec.from_dict(tables).replaced(changes)


def with_table(table: str, **keys: Any) -> dict[str, Any]:
    """A run of beads with an energy, in which one table has these keys besides."""
    return WARM | {table: WARM.get(table, {}) | keys}


def test_a_whole_file(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "run.toml").write_text(WHOLE)
    spec = read_spec(folder / "run.toml")
    assert spec.body.pdb == tmp_path / "proteins" / "small.pdb"
    assert spec.output.folder == folder / "results"
    assert spec.settings.steps == 10_000 and isinstance(spec.settings.steps, int)
    assert spec.settings.temperature == (1.0, 2.5, math.inf)
    assert spec.campaign is not None and spec.campaign.replicas == 3
    assert spec.campaign.grid == {"chain.atoms": ("backbone", "ca"), "run.steps": (1e3, 1e4)}
    asked = spec.arguments()
    assert asked["moves"] == {"torsion": Move(2.0), "pivot": Move(0.5, math.pi / 2, [4, 5, 6])}
    assert {"steps", "every", "seed", "burn_in", "temperature", "swap_every", "observables"} <= set(asked)
    assert (asked["frames"], asked["checkpoint"], asked["contact_reach"]) == (0, 500, 4.0)
    assert "folder" not in asked and "kinds" not in asked
    assert asked["energy"].cutoff == 9.0 and asked["energy"].offset[0] != 0


def test_a_spec_goes_through_json_and_pickle(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(WHOLE)
    spec = read_spec(tmp_path / "run.toml")
    written = json.dumps(spec.to_dict(), allow_nan=False)
    assert Spec.from_dict(json.loads(written)) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    (tmp_path / "run.json").write_text(written)
    assert read_spec(tmp_path / "run.json") == spec
    assert spec.replaced({"run.seed": 1}) != spec


def test_what_was_not_given_is_not_told() -> None:
    assert Spec.from_dict(BEADS).to_dict() == BEADS
    assert Spec.from_dict(BEADS).arguments() == {"steps": 1000}


def test_paths_of_a_grid_are_relative_to_the_file(tmp_path: Path) -> None:
    grid = '[campaign]\ngrid = { "chain.pdb" = ["b.pdb", "/c.pdb"] }\n'
    (tmp_path / "run.toml").write_text(f'[chain]\npdb = "a.pdb"\n[run]\nsteps = 10\n{grid}')
    campaign = read_spec(tmp_path / "run.toml").to_dict()["campaign"]
    assert campaign == {"grid": {"chain.pdb": [str(tmp_path / "b.pdb"), "/c.pdb"]}}


def test_keys_are_replaced_and_taken_away() -> None:
    spec = Spec.from_dict(WARM | {"moves": {"pivot": 1, "torsion": {"size_degrees": 10}}})
    changed = spec.replaced({"chain.beads": 30, "moves.pivot.size": 0.5, "moves.torsion.size": 0.25})
    assert changed.body.beads == 30 and changed.moves["pivot"].move() == Move(1.0, 0.5)
    assert changed.moves["torsion"].move() == Move(1.0, 0.25)
    cold = changed.replaced({"energy": None, "run.temperature": None, "moves.torsion": None})
    assert (cold.potential, cold.settings.temperature, list(cold.moves)) == (None, None, ["pivot"])
    assert spec.replaced({}) == spec
    assert Spec.from_dict(BEADS).replaced({"moves.pivot.weight": 3}).moves["pivot"].weight == 3.0
    many = spec.replaced({"campaign.replicas": 2})
    assert many.campaign is not None and many.without_campaign() == spec


def test_a_file_may_lack_what_changes_give(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text("[chain]\nbeads = 9\n[run]\nseed = 4\n")
    with pytest.raises(SpecError, match="steps: give the number of steps"):
        read_spec(file)
    assert read_spec(file, {"run.steps": 50}).settings.steps == 50


# Chains and energies.


def test_a_rod() -> None:
    rod = Spec.from_dict(
        {"chain": {"beads": 5, "spacing": 2, "radius": 0.7, "start": "rod"}, "run": {"steps": 1}}
    )
    chain = rod.chain()
    assert chain.positions() == pytest.approx(np.arange(5)[:, None] * np.array([2.0, 0, 0]))
    assert chain.radii.tolist() == [0.7] * 5


def test_equilibrium_is_drawn_with_the_seed() -> None:
    chains = [Spec.from_dict(BEADS).replaced({"run.seed": seed}).chain() for seed in (1, 1, 2)]
    places = [chain.positions() for chain in chains]
    assert np.array_equal(places[0], places[1]) and not np.array_equal(places[0], places[2])
    bonds = np.linalg.norm(np.diff(places[0], axis=0), axis=1)
    assert bonds == pytest.approx(np.ones(19)) and not chains[0].collides()


@pytest.mark.parametrize("atoms", [None, "backbone", "ca"])
def test_a_protein(tmp_path: Path, atoms: str | None) -> None:
    (tmp_path / "p.pdb").write_text(pdb_text(peptide(["ALA", "LEU", "GLY", "SER"])))
    table = {"pdb": "p.pdb", "scale": 0.5} | ({} if atoms is None else {"atoms": atoms})
    chain = Spec.from_dict({"chain": table, "run": {"steps": 1}}, folder=tmp_path).chain()
    same = er.Chain.from_pdb(tmp_path / "p.pdb", atoms=atoms or "all", scale=0.5)
    assert chain.labels == same.labels and np.array_equal(chain.radii, same.radii)
    assert (chain.side is not None) == (atoms is None)


@pytest.mark.parametrize(
    ("table", "energy"),
    [
        ({"sigma": 2.0}, er.energies.LennardJones(1.0, 2.0, 5.0)),
        ({"sigma": 2.0, "cutoff": 3, "shift": True}, er.energies.LennardJones(1.0, 2.0, 3.0, shift=True)),
        (
            {"epsilon": [[1, 2], [2, 0]], "sigma": [[1, 2], [2, 3]]},
            er.energies.LennardJones([[1, 2], [2, 0]], [[1, 2], [2, 3]], 7.5),
        ),
        ({"form": "clashes"}, er.energies.Clashes()),
        ({"form": "table", "values": [3, 1, 0], "cutoff": 2}, er.energies.Table([3.0, 1, 0], 2.0)),
    ],
)
def test_energies(table: dict[str, Any], energy: er.energies.Energy) -> None:
    made = Spec.from_dict(WARM | {"energy": table}).energy()
    assert made is not None and (made.form, made.cutoff, made.kinds) == (
        energy.form,
        energy.cutoff,
        energy.kinds,
    )
    for name in ("epsilon", "sigma", "offset", "values"):
        assert np.array_equal(getattr(made, name), getattr(energy, name))


# Runs.


def test_a_run_is_what_sample_makes_of_the_arguments() -> None:
    spec = Spec.from_dict(WARM).replaced({"run.every": 10, "moves": {"pivot": 1, "crankshaft": 2}})
    run = spec.run()
    energy = er.energies.LennardJones(1.0, 1.0, 2.5)
    same = er.sampling.sample(
        spec.chain(), {"pivot": 1.0, "crankshaft": 2.0}, energy, steps=1000, every=10, temperature=2.0
    )
    assert list(run.observables) == ["end_to_end", "radius_of_gyration", "energy"]
    for name, values in same.observables.items():
        assert np.array_equal(run.observables[name], values)


def test_a_run_that_goes_on_equals_one_that_was_not_stopped(tmp_path: Path) -> None:
    short, whole = (
        spec_of(BEADS, **{"run.steps": steps, "output.checkpoint": 500}) for steps in (1000, 3000)
    )
    short.run(tmp_path / "a")
    assert read_spec(tmp_path / "a") == short
    grown = spec_of(BEADS, **{"run.steps": 3000, "output.checkpoint": 500, "run.every": 1})
    run, same = grown.run(tmp_path / "a", resume=True), whole.replaced({"run.every": 1}).run()
    assert run.steps == 3000 and read_spec(tmp_path / "a") == grown
    assert np.array_equal(run.observables["end_to_end"], same.observables["end_to_end"])


def test_a_run_that_is_refused_changes_no_folder(tmp_path: Path) -> None:
    spec = Spec.from_dict(BEADS | {"output": {"folder": str(tmp_path / "a"), "checkpoint": 500}})
    spec.run()
    other = spec.replaced({"run.burn_in": 5})
    for resume, named in ((True, "burn_in"), (False, "out")):
        with pytest.raises(ValueError, match=f"^{named}"):
            other.run(resume=resume)
        assert read_spec(tmp_path / "a") == spec
    with pytest.raises(ValueError, match="side"):
        spec.replaced({"moves.side": 1}).run(tmp_path / "b")
    assert not (tmp_path / "b" / "spec.json").exists()


def test_a_callback_may_stop_a_run() -> None:
    run = Spec.from_dict(BEADS).run(callback=lambda state: state.step >= 300, callback_every=100)
    assert run.steps == 300


# What is wrong.

WRONG: list[tuple[dict[str, Any], str]] = [
    (with_table("run", step=3), "[run] step: no such key; did you mean 'steps'?"),
    (with_table("run", nonsense=3), "[run] nonsense: no such key; choose from steps, every, seed"),
    (with_table("run", epsilon=3), "[run] epsilon: no such key; it belongs in [energy]"),
    (
        with_table("energy", form="lenard"),
        "[energy] form: must be one of lennard-jones, coulomb, torsions, clashes, table, sum",
    ),
    (with_table("run", steps=1.5), "[run] steps: must be a whole number, got 1.5"),
    (with_table("run", steps="1e5"), "[run] steps: must be a whole number, got '1e5'"),
    (with_table("run", steps=True), "[run] steps: must be a whole number, got True"),
    (with_table("run", steps=0), "[run] steps: must be at least 1"),
    (with_table("run", seed=-1), "[run] seed: must be at least 0"),
    (with_table("run", temperature=0), "[run] temperature: must be larger than 0, got 0"),
    (with_table("run", temperature=True), "[run] temperature: must be a number, got True"),
    (with_table("run", temperature=math.nan), "[run] temperature: must be finite, got nan"),
    (with_table("run", temperature=[1]), "[run] temperature: must be a number, or a list of at least two"),
    (with_table("run", temperature=[2, 1]), "[run] temperature: must rise from one to the next, got [2, 1]"),
    (with_table("run", temperature=[1, "x"]), "[run] temperature: temperature[1] must be a number, got 'x'"),
    (with_table("run", swap_every=5), "[run] swap_every: only a list of temperatures has swaps"),
    (with_table("run", observables="energy"), "[run] observables: must be a list that is not empty"),
    (with_table("run", observables=["energy"] * 2), "[run] observables: must not hold a name twice"),
    (with_table("run", observables=["end"]), "observables[0] must be one of end_to_end, radius_of_gyration"),
    (with_table("run", observables=["contacts"]), "[run] contact_reach: must be given with the observable"),
    (with_table("chain", pdb="a.pdb"), "[chain]: give either pdb, a file, or beads, how many"),
    (with_table("chain", atoms="all"), "[chain] atoms: not supported for a chain of beads"),
    (with_table("chain", radius=1), "[chain] radius: must be below spacing, 1, got 1"),
    (with_table("chain", beads=1), "[chain] beads: must be at least 2"),
    (with_table("chain", start="coil"), "[chain] start: must be one of equilibrium, rod, got 'coil'"),
    (
        WARM | {"chain": {"pdb": "a.pdb", "spacing": 2}},
        "[chain] spacing: not supported for a protein from a file",
    ),
    (WARM | {"chain": {"pdb": 5}}, "[chain] pdb: must be a text, got 5"),
    (WARM | {"chain": [1]}, "[chain]: must be a table, got [1]"),
    (WARM | {"energy": {}}, "[energy] sigma: the form 'lennard-jones' needs it"),
    (with_table("energy", form="clashes"), "[energy] sigma: not supported for the form 'clashes'"),
    (with_table("energy", sigma=[[1, 2], [3, 1]]), "[energy] sigma: must be symmetric"),
    (with_table("energy", sigma=-1), "[energy] sigma: must not be negative, got -1.0"),
    (with_table("energy", shift=1), "[energy] shift: must be true or false, got 1"),
    (WARM | {"energy": {"form": "table", "values": [1]}}, "[energy] cutoff: the form 'table' needs it"),
    (with_table("moves", pivto=1), "[moves] pivto: no such move; did you mean 'pivot'?"),
    (with_table("moves", pivot="1"), "[moves] pivot: must be a weight or a table, got '1'"),
    (with_table("moves", pivot=0), "[moves.pivot] weight: must be larger than 0"),
    (
        with_table("moves", pivot={"size": 4}),
        "[moves.pivot] size: must be larger than 0 and at most pi, got 4.0",
    ),
    (with_table("moves", pivot={"size_degrees": 181}), "[moves.pivot] size_degrees: must be larger than 0"),
    (
        with_table("moves", pivot={"size": 1, "size_degrees": 9}),
        "[moves.pivot] size_degrees: cannot be combined with size",
    ),
    (with_table("moves", pivot={"joint": [3]}), "[moves.pivot] joint: no such key; did you mean 'joints'?"),
    (
        with_table("moves", pivot={"joints": 3}),
        "[moves.pivot] joints: must be a list that is not empty, got 3",
    ),
    (with_table("moves", pivot={"joints": [-1]}), "[moves.pivot] joints: joints[0] must be at least 0"),
    (with_table("moves", crankshaft={"shortest": 5, "longest": 4}), "[moves.crankshaft] longest: must be at"),
    (with_table("output", folder=""), "[output] folder: must be a text, got ''"),
    (with_table("campaign", replicas=0), "[campaign] replicas: must be at least 1"),
    (with_table("campaign", cluster="here"), '[campaign] cluster: must be "local" or an address such as'),
    (
        with_table("campaign", cluster="tcp://a:1", tls_key="key.pem"),
        "[campaign] tls_key: only a cluster at an address that begins with tls:// takes it",
    ),
    (
        with_table("campaign", cluster="tls://a:1", tls_key="key.pem"),
        "[campaign] tls_ca_file: is missing: tls_ca_file, tls_cert, tls_key go together",
    ),
    (with_table("campaign", grid={"run.seed": [1]}), "[campaign] grid: does not go over run.seed"),
    (with_table("campaign", grid={"output.frames": [1]}), "[campaign] grid: goes over chain.KEY, moves.KEY"),
    (with_table("campaign", grid={"run.steps": 5}), "[campaign] grid: needs a list of values for run.steps"),
    (with_table("campaign", grid={"run.steps": [5, 0]}), "[campaign] grid 'run.steps': must be at least 1"),
    (with_table("campaign", grid={"run.step": [5]}), "[campaign] grid 'run.step': no such key; did you mean"),
    (WARM | {"runs": {}}, "runs: no such table; did you mean 'run'?"),
    (WARM | {"steps": 5}, "steps: no such key outside of tables; it belongs in [run]"),
    ({"run": {"steps": 5}}, "[chain]: the table is missing"),
    ({"chain": {"beads": 5}}, "[run]: the table is missing"),
    (BEADS | {"energy": {"sigma": 1}}, "[run] temperature: give one, as there is an energy"),
    (
        BEADS | {"run": {"steps": 1, "temperature": 1}},
        "[run] temperature: there is no energy that it could weigh",
    ),
]


@pytest.mark.parametrize(("tables", "words"), WRONG, ids=[words[:60] for _, words in WRONG])
def test_what_is_wrong_is_named(tables: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError) as caught:
        Spec.from_dict(tables, source="run.toml")
    assert str(caught.value).startswith("run.toml: ") and words in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.key == caught.value.key


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[chain\n", "cannot be understood (Expected ']'"),
        (b"[run]\nsteps = 1\nsteps = 2\n", "cannot be understood (Cannot overwrite a value"),
        (b"\xff\xfe", "cannot be understood ("),
        (b"[run]\nstps = 3\n[chain]\nbeads = 5\n", "[run] stps: no such key; did you mean 'steps'?"),
        (None, "cannot be read (No such file or directory)"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "run.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        read_spec(file)
    assert str(caught.value).startswith(f"{file}: {words}")


CHARGED: dict[str, Any] = {
    "form": "sum",
    "parts": [
        {"sigma": 0.9, "cutoff": math.inf, "exclude": [[0, 1], [1, 2]]},
        {"form": "coulomb", "charges": [1.0, -1.0], "cutoff": math.inf, "constant": 1.0},
        {"form": "torsions", "balls": [1, 2], "k": 0.5, "n": 3},
    ],
    "kinds": [0, 1] * 10,
}


def test_a_sum_of_energies_is_that_of_its_parts() -> None:
    spec = Spec.from_dict(WARM | {"energy": CHARGED})
    assert Spec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec
    of = er.energies
    same = of.Sum(
        of.LennardJones(1.0, 0.9, math.inf, exclude=[(0, 1), (1, 2)]),
        of.Coulomb([1.0, -1.0], math.inf, constant=1.0),
        of.Torsions([1, 2], 0.5, 3),
    )
    found = []
    for energy in (spec.energy(), same):
        chain = spec.chain()
        chain.set_energy(energy, CHARGED["kinds"])
        found.append(chain.energy())
    assert found[0] == found[1] != 0


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ({"form": "coulomb", "charges": [1.0], "cutof": 3.0}, r"parts\[0\] cutof: no such key"),
        ({"sigma": 1.0, "kinds": [0]}, r"parts\[0\] kinds: not supported in a part"),
        ({"form": "torsions", "balls": [1.5], "k": 1.0, "n": 1}, r"parts\[0\] balls: must be whole"),
        ({"sigma": 1.0, "exclude": [[0, 1, 2]]}, r"parts\[0\] exclude: exclude\[0\] must be a pair"),
    ],
)
def test_a_part_that_is_wrong_is_named(part: dict[str, Any], reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        Spec.from_dict(WARM | {"energy": {"form": "sum", "parts": [part]}})


def test_exclude_is_a_number_of_bonds() -> None:
    chain = Spec.from_dict({"chain": {"beads": 20, "exclude": 3}, "run": {"steps": 10}}).chain()
    assert chain.excluded_gap == 3
