"""Runs that calibrations are learned from: which are kept, what is true of them, what is refused."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from calibration_makers import SPRING, TIGHT, ask, free_poses, quietly, simulated, through

import elbowroom as er
from elbowroom import _recording, _reliability


@pytest.mark.parametrize("method", ["auto", "best-first", "depth-first"])
def test_springs_are_calibrated_and_far_better_than_the_base_rate(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = er.Memory.calibrate(ask, through(500), budget=TIGHT, method=method)
    assert table.held_out is not None and table.paper is not None and table.method == method
    assert table.error <= 0.02 and table.held_out.error_by_width <= 0.02
    assert table.held_out.brier < 0.7 * min(table.held_out.base_brier, table.paper.brier)
    assert table.held_out.auc > max(0.85, table.paper.auc)
    assert table.learned > 2000 and table.held_out.runs == table.paper.runs > 2000


def test_a_folding_chain_is_calibrated_and_better_than_the_base_rate() -> None:
    """Angles of three joints that swing to and fro, each path on joints of its own."""
    rng, chain, present = np.random.default_rng(3), er.Chain(er.scenes.coil(150), 0.45), dict[int, float]()
    swing = np.sin(np.linspace(0, 2 * np.pi, 30))
    paths = [
        [dict(zip(joints, turn, strict=True)) for turn in np.outer(swing, rng.normal(size=3)).tolist()]
        for joints in (rng.choice(np.arange(1, 148), 3, replace=False).tolist() for _ in range(400))
    ]

    def fold(angles: dict[int, float], **how: Any) -> er.Collision:
        wanted = dict.fromkeys(present, 0.0) | angles
        chain.change({joint: angle - present.get(joint, 0.0) for joint, angle in wanted.items()})
        present.clear()
        present.update(angles)
        return er.self_collide(chain, **how)

    table = er.Memory.calibrate(fold, paths, budget=er.Budget(tests=1200))
    assert table.held_out is not None and table.paper is not None
    assert table.error <= 0.03 and table.held_out.error_by_width <= 0.03
    assert table.held_out.brier < min(table.held_out.base_brier, table.paper.brier)
    assert table.held_out.auc > 0.7


def test_what_a_memory_states_comes_true() -> None:
    """On further paths, and through the core: what it looks up is what the table says."""
    table = er.Memory.calibrate(ask, through(500), budget=TIGHT)
    said, free = [], []
    for path in through(250, seed=9):
        memory = er.Memory(calibration=table)
        for pose in path:
            answer = ask(pose, budget=TIGHT, memory=memory)
            if answer.status != "out of budget" or answer:
                assert answer.confidence == 1.0
                continue
            assert answer.confidence == pytest.approx(table.confidence(answer._signs[None])[0], abs=1e-12)
            said.append(answer.confidence)
            free.append(not ask(pose))
    found = _reliability.judged(np.array(said), np.array(free))
    assert found.error <= 0.025 and found.auc > 0.85 and found.runs > 2000


def test_the_same_runs_make_the_same_table_and_another_seed_another() -> None:
    tables = [quietly(ask, through(40), seed=seed) for seed in (3, 3, 4)]
    assert tables[0] == tables[1] != tables[2]


def test_finished_runs_leave_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match=r"all 80 runs finished.* lower the budget"):
        quietly(ask, through(2), budget=er.Budget(tests=10**9))


def test_where_all_is_free_the_rule_of_succession_holds() -> None:
    poses = free_poses()
    with pytest.warns(UserWarning, match="the table is rough: it was learned from .* 0 of the rarer kind"):
        table = er.Memory.calibrate(ask, [[pose] for pose in poses], budget=er.Budget(tests=1))
    assert table.held_out is not None and table.learned + table.held_out.runs == len(poses) > 20
    wanted = (table.learned + 1) / (table.learned + 2)
    assert np.unique(table.confidence(simulated(5, 0)[0])) == pytest.approx([wanted])
    answer = ask(poses[0], budget=er.Budget(tests=1), memory=er.Memory(calibration=table))
    assert answer.status == "out of budget" and answer.confidence == pytest.approx(wanted)
    assert "AUC" not in repr(table), "there is none"


def test_few_runs_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="learned from .* unfinished runs.*give it more paths") as caught:
        er.Memory.calibrate(ask, through(6), budget=TIGHT)
    assert caught[0].filename == __file__


def test_nothing_held_out_is_not_judged() -> None:
    table, half = quietly(ask, through(40), held_out=0), quietly(ask, through(40))
    assert table.held_out is None and np.isnan(table.error)
    assert half.held_out is not None and table.learned == half.learned + half.held_out.runs


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_whole_paths_are_held_out(share: float) -> None:
    records = _recording.Records()
    for block in range(20):
        for _ in range(7):
            records.add(np.zeros(8), True, block)
    learned, judged = records.parts(share, 5)
    blocks = np.array(records.block)
    assert (learned ^ judged).all() and len(set(blocks[judged])) == round(20 * share)
    assert not set(blocks[learned]) & set(blocks[judged])


def test_a_single_path_is_judged_by_stretches_of_it() -> None:
    """Each stretch is a twentieth: the share of runs that are held out is about that of the stretches."""
    poses = np.concatenate(through(30))
    table = quietly(ask, poses)
    assert table.held_out is not None and 0.25 < table.held_out.runs / table.learned < 4
    assert quietly(ask, list(poses)) == table == quietly(ask, [er.Pose(p[:3, :3], p[:3, 3]) for p in poses])


def test_several_budgets_make_one_table() -> None:
    budgets = [er.Budget(tests=40), er.Budget(tests=80)]
    each = [quietly(ask, through(60), budget=budget, held_out=0) for budget in budgets]
    both = quietly(ask, through(60), budget=budgets, held_out=0)
    assert both.learned == each[0].learned + each[1].learned
    assert [budget.tests for budget in both.budgets] == [40, 80]


def test_the_truth_may_be_known_or_asked_for() -> None:
    paths = through(30)
    known = [[bool(ask(pose)) for pose in path] for path in paths]
    wanted = quietly(ask, paths)
    assert quietly(ask, paths, truth=known) == wanted == quietly(ask, paths, truth=np.array(known))
    assert quietly(ask, paths, truth=[hit for path in known for hit in path]) == wanted
    assert quietly(ask, paths, truth=lambda pose: bool(ask(pose))) == wanted
    assert quietly(ask, paths, truth=lambda pose: False).values.min() > 0.9
    with pytest.raises(ValueError, match="truth must have one entry for each of 1200 configurations, got 3"):
        quietly(ask, paths, truth=[True, False, True])


def test_bodies_that_are_moved_by_steps_are_judged_where_they_are() -> None:
    """`truth` is asked right after the run, so `ask` may move on from where it was."""
    poses, at = through(1, 400, seed=2)[0], [0]

    def step(forward: int, **how: Any) -> er.Collision:
        at[0] += forward
        return ask(poses[at[0]], **how)

    by_steps = quietly(step, [0, *[1] * 399], truth=lambda _: ask(poses[at[0]]))
    assert at[0] == 399 and by_steps == quietly(ask, poses)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"budget": None}, "budget must be"),
        ({"budget": []}, "budget must be"),
        ({"budget": [TIGHT, 60]}, "budget must be"),
        ({"budget": 60}, "budget must be"),
        ({"held_out": 1.0}, "held_out must be less than 1"),
        ({"held_out": -0.1}, "held_out must be"),
        ({"held_out": np.nan}, "held_out must be"),
        ({"seed": -1}, "seed must be"),
        ({"method": "fastest"}, "method must be"),
        ({"group": 0}, "group must be"),
        ({"threshold": np.nan}, "threshold must be"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_any_run(options: dict[str, Any], said: str) -> None:
    def never(*_: Any, **__: Any) -> er.Collision:
        raise AssertionError("nothing should be asked")

    with pytest.raises(ValueError, match=said):
        quietly(never, through(2), **options)


def test_an_ask_that_does_not_do_its_part_is_refused() -> None:
    def forgetful(pose: Any, *, budget: Any, memory: Any) -> Any:
        return ask(pose, budget=budget)

    def distant(pose: Any, **how: Any) -> Any:
        return er.distance(SPRING, SPRING, pose_b=pose, **how)

    with pytest.raises(ValueError, match="ask must hand its memory on"):
        quietly(forgetful, through(3))
    with pytest.raises(TypeError, match=r"ask must return the answer of er\.collide .* got Distance"):
        quietly(distant, through(3))


def test_signs_that_are_not_finite_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Answer:
        status = "out of budget"
        _signs = np.array([0.5, 0.5, np.nan, 1, 1, 1, 0, np.inf])

        def __bool__(self) -> bool:
            return False

    monkeypatch.setattr("elbowroom._recording._core.Collision", Answer)
    with pytest.raises(ValueError, match="not finite: paper, expired"):
        quietly(lambda pose, **how: Answer(), through(1))


POSE, ROW = er.Pose(), [0.1, 0.2, 0.3]
PAIR = (np.eye(3), np.zeros(3))


@pytest.mark.parametrize("one", [POSE, np.eye(4), np.eye(4).tolist(), PAIR, ROW, np.array(ROW), {"hip": 1}])
def test_paths_are_told_from_configurations(one: Any) -> None:
    path = [one] * 5
    lengths = [[len(part) for part in _recording.split(it)] for it in (path, [path, path[:3]], iter(path))]
    assert lengths == [[5], [5, 3], [5]]


@pytest.mark.parametrize(
    ("shape", "lengths"),
    [((6, 4, 4), [6]), ((3, 6, 4, 4), [6] * 3), ((6, 7), [6]), ((3, 6, 7), [6] * 3), ((6,), [6])],
)
def test_arrays_hold_one_path_or_several(shape: tuple[int, ...], lengths: list[int]) -> None:
    assert [len(part) for part in _recording.split(np.zeros(shape))] == lengths
    assert [len(part) for part in _recording.split(list(np.zeros(shape)))] == lengths


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "configurations is empty"),
        ([[POSE], []], r"configurations\[1\] is empty"),
        ([[POSE], POSE], r"the first is a path, configurations\[1\] is a configuration"),
        ([ROW, ROW, [ROW]], r"the first is a configuration, configurations\[2\] is a path"),
    ],
)
def test_configurations_that_are_none_are_refused(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        quietly(ask, given)


def test_no_bar_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for progress in (None, False, True):
        quietly(ask, through(20), progress=progress)
    assert capsys.readouterr() == ("", "")
