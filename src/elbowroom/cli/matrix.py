"""`elbowroom matrix`: which links of a robot can collide, by proof, and an SRDF file of those that cannot."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from .complaint import Complaint, check_file, write_json
from .overwriting import overwriting

if TYPE_CHECKING:
    from elbowroom import Articulated, CollisionMatrix

MATRIX_EXAMPLE = """Examples:

- `elbowroom matrix arm.urdf`
- `elbowroom matrix arm.urdf --srdf arm.srdf --plot arm.png`
- `elbowroom matrix arm.urdf --packages share --compare given.srdf --json -`"""

#: Pairs of a kind that are printed.
MOST_LINES = 20


def matrix(
    robot: Annotated[Path, Parameter(name="ROBOT")],
    /,
    *,
    srdf: Path | None = None,
    compare: Path | None = None,
    packages: Path | None = None,
    seconds: float = 60.0,
    samples: int = 10_000,
    seed: int = 0,
    plot: Path | None = None,
    json: Path | None = None,
) -> int:
    """Decide which pairs of links of a robot can collide: never and always by proof, sometimes by a witness.

    Parameters
    ----------
    robot
        URDF file.
    srdf
        SRDF file to write, which disables the pairs that never or always collide.
    compare
        SRDF file to compare with: pairs that it disables although they can collide, neighbours apart, and
        pairs that it leaves to be compared although they never do. With pairs of the first kind the exit
        status is 1.
    packages
        Folder of the ROS packages that contain the meshes.
    seconds
        When to stop; what is not decided then is undecided.
    samples
        Random configurations, which come before the proofs.
    seed
        Seed of these.
    plot
        Picture of the matrix.
    json
        File for all pairs, with the witnesses. With -, JSON is the only output on stdout.
    """
    import elbowroom as er
    from elbowroom.files.srdf import read_srdf

    for name, file in (("--srdf", srdf), ("--plot", plot), ("--json", json)):
        check_file(name, file)
    try:
        body = er.Articulated.from_urdf(robot, packages=packages, exclude=None)
        given = None if compare is None else read_srdf(compare, links=body.link_names)
        begin = perf_counter()
        found = er.collision_matrix(body, seconds, samples=samples, seed=seed)
    except ValueError as error:
        raise Complaint(str(error)) from error
    lines = _lines(robot, body, found, perf_counter() - begin)
    wrong = missing = None
    if compare is not None and given is not None:
        wrong, missing = found.wrong_in_srdf(compare), found.missing_in_srdf(compare)
        lines += _listed(f"disabled in {compare}, but can collide", found.names(wrong))
        lines += _listed(f"compared by {compare}, but never collide", found.names(missing))
    if srdf is not None:
        with overwriting(srdf):
            found.write_srdf(srdf, robot=robot.stem)
        lines.append(f"written: {srdf}")
    if plot is not None:
        from elbowroom.pictures.matrix import matrix_picture

        with overwriting(plot):
            matrix_picture(found, plot, title=robot.name)
        lines.append(f"written: {plot}")
    print("\n".join(lines))
    write_json(json, _facts(robot, found, wrong, missing))
    return int(wrong is not None and len(wrong) > 0)


def _count(number: int, what: str) -> str:
    from .overlaps import plural  # with NumPy, which takes a while

    return plural(number, what)


def _lines(robot: Path, body: Articulated, found: CollisionMatrix, seconds: float) -> list[str]:
    pairs = int((found.verdicts >= 0).sum()) // 2
    lines = [
        f"{robot.name}: {_count(len(body), 'link')}, {_count(body.dof, 'value')}; "
        f"{_count(pairs, 'pair')} in {seconds:.1f} s",
        f"never      {len(found.never):6d}  proved apart in every configuration",
        f"always     {len(found.always):6d}  proved to overlap in every configuration",
        f"sometimes  {len(found.sometimes):6d}  with a configuration in which they collide",
        f"undecided  {len(found.undecided):6d}",
    ]
    for (a, b), left in list(found.left.items())[:MOST_LINES]:
        gap = f", least gap seen {left.gap:.4g}" if left.gap < float("inf") else ""
        names = f"{found.link_names[a]} and {found.link_names[b]}"
        lines.append(f"  {names}: {left.covered:.1%} of the configurations proved free{gap}")
    return lines


def _listed(title: str, pairs: list[tuple[str, str]]) -> list[str]:
    lines = [f"{title}: {_count(len(pairs), 'pair')}"]
    lines += [f"  {a} and {b}" for a, b in pairs[:MOST_LINES]]
    if len(pairs) > MOST_LINES:
        lines.append(f"  and {len(pairs) - MOST_LINES} more: --json has all")
    return lines


def _facts(robot: Path, found: CollisionMatrix, wrong: Any, missing: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"robot": str(robot), "links": found.link_names, "joints": found.joint_names}
    for verdict in ("never", "always", "sometimes", "undecided"):
        facts[verdict] = found.names(getattr(found, verdict))
    facts["witnesses"] = [
        {"links": found.names_of(pair), "configuration": values.tolist()}
        for pair, values in found.witnesses.items()
    ]
    facts["left"] = [
        {"links": found.names_of(pair), "covered": left.covered, "gap": left.gap}
        for pair, left in found.left.items()
    ]
    if wrong is not None:
        facts["wrong"], facts["missing"] = found.names(wrong), found.names(missing)
    return facts
