"""Torsions as observables: what is recorded, named, drawn, and left out of means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from peptide import pdb_text, peptide

import elbowroom as er
from elbowroom.sampling import Run, sample

MEASURED = ["end_to_end", "phi", "psi", "chi1:A/3"]


@pytest.fixture
def chain(tmp_path: Path) -> er.Chain:
    path = tmp_path / "made.pdb"
    path.write_text(pdb_text(peptide(["ALA", "LEU", "SER", "ALA"])))
    return er.Chain.from_pdb(path, atoms="all")


def test_what_is_recorded_is_the_chain_at_that_step(chain: er.Chain, tmp_path: Path) -> None:
    seen: list[np.ndarray] = []

    def look(state: er.sampling.State) -> None:
        found = state.chains[0].torsion_angles("phi", "psi", "chi1")
        seen.append(np.concatenate([found[1:, 0], found[:-1, 1], found[2:3, 2]]))

    run = sample(chain, steps=500, every=10, observables=MEASURED, callback=look, out=tmp_path / "run")
    names = [*(f"phi:A/{k}" for k in (2, 3, 4)), *(f"psi:A/{k}" for k in (1, 2, 3)), "chi1:A/3"]
    assert list(run.observables) == ["end_to_end", *names]
    recorded = np.stack([run.observables[name] for name in names], axis=1)
    assert np.abs(recorded - seen).max() < 1e-12
    assert np.ptp(recorded, axis=0).min() > 0.01
    again = Run.load(tmp_path / "run")
    assert all(np.array_equal(again.observables[name], run.observables[name]) for name in run.observables)


def test_angles_have_no_mean(chain: er.Chain) -> None:
    run = sample(chain, steps=500, every=10, observables=MEASURED)
    assert "torsions: 7 in each sample" in run.summary()
    assert "phi" not in run.summary().replace("torsions", "")
    with pytest.raises(ValueError, match="'phi:A/2' is an angle"):
        run.estimate("phi:A/2")
    assert len(run.plot().axes) > 0


def test_the_picture_has_every_pair(chain: er.Chain, tmp_path: Path) -> None:
    run = sample(chain, steps=500, every=10, observables=MEASURED)
    dots = run.plot_ramachandran(tmp_path / "all.png").axes[0].lines[-1].get_xydata()
    wanted = [[run.observables[f"{name}:A/{k}"] for name in ("phi", "psi")] for k in (2, 3)]
    assert np.allclose(dots, np.degrees(np.concatenate(wanted, axis=1)).T)
    assert (tmp_path / "all.png").stat().st_size > 1000
    torsions = sample(chain, steps=50, every=10, observables=["phi", "psi"])
    assert torsions.plot().axes[0].get_xlabel() == "phi (degrees)"
    with pytest.raises(ValueError, match="residue: 'A/1' has no samples of phi and psi; 2 have, A/2 to A/3"):
        run.plot_ramachandran(residue="A/1")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["phi:A/31"], r"observables\[0\]: residue: '31' is not in chain 'A'"),
        (["psi", "phi:2"], r"observables\[1\]: 'phi:2' is no torsion: write"),
        (["chi4"], r"observables\[0\]: no residue of the chain has chi4"),
        (["phi", "phi:A/2"], "observables has 'phi:A/2' more than once"),
    ],
)
def test_wrong_names(chain: er.Chain, names: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sample(chain, steps=10, observables=names)


def test_a_campaign_keeps_them(chain: er.Chain, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    run = {"steps": 200, "every": 10, "observables": MEASURED}
    table = {"chain": {"pdb": str(tmp_path / "made.pdb"), "atoms": "all"}, "run": run}
    found = er.sampling.campaign(table, out=tmp_path / "campaign", replicas=2, workers=1)
    assert [row["observable"] for row in found.summary().to_pylist()] == ["end_to_end"]
    dots = found.plot_ramachandran(residue="A/2").axes[0].lines[-1].get_xydata()
    assert np.allclose(np.radians(dots[:, 0]), found.table()["phi:A/2"].to_numpy())
