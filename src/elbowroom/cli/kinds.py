"""`elbowroom check`: which kind of files these are, and who checks them."""

from __future__ import annotations

from pathlib import Path

from .complaint import Complaint
from .options import (
    ClipOptions,
    MoveOptions,
    ProteinOptions,
    RobotOptions,
    SpreadOptions,
    TrajectoryOptions,
    Wanted,
    check_input,
    given,
    refuse,
)

MESHES = (".obj", ".stl", ".ply", ".off", ".glb")
TOPOLOGIES = (".psf", ".tpr", ".prmtop", ".parm7", ".top", ".itp")
KNOWN = (
    "meshes (OBJ, STL, PLY, OFF, GLB), proteins (PDB, mmCIF), motion capture (BVH), robots (URDF) and "
    "trajectories (DCD, XTC, TRR, XYZ, NPY, NPZ, ...)"
)


def check_any(
    a: Path,
    b: Path | None,
    wanted: Wanted,
    protein: ProteinOptions,
    clip: ClipOptions,
    robot: RobotOptions,
    trajectory: TrajectoryOptions,
    spread: SpreadOptions,
    moves: MoveOptions,
) -> int:
    """Check by the name of the first file; options of other kinds are complained about."""
    from .check_trajectory import has_models

    kind = "a trajectory" if has_models(a) and (given(trajectory) or given(spread)) else kind_of(a)
    if kind == "a mesh":
        _check_mesh("A", a)
    else:
        _refuse_several(kind, wanted)
    _refuse_others(kind, protein, clip, robot, trajectory)
    if kind not in ("a mesh", "a robot"):
        refuse(moves, kind)
    if kind == "a trajectory":
        return _trajectory(a, b, wanted, trajectory, spread, clip)
    refuse(spread, kind)
    if kind == "a protein" and wanted.plot is not None:
        raise Complaint(f"--plot: not supported for {kind}; remove it")
    if kind == "a protein":
        return _protein(a, b, wanted, protein)
    if kind == "motion capture":
        return _clips(a, b, wanted, clip)
    if kind == "a robot":
        return _robot(a, b, wanted, robot, moves, clip.bridge)
    return _meshes(a, b, wanted, robot.path, moves)


def _refuse_others(
    kind: str, protein: ProteinOptions, clip: ClipOptions, robot: RobotOptions, trajectory: TrajectoryOptions
) -> None:
    """Complain about options that only other kinds take; a few of clips are for others, too."""
    if kind != "a protein":
        refuse(protein, kind)
    if kind == "a trajectory":
        refuse(clip, kind, ("bridge", "radius_scale"))
    elif kind != "motion capture":
        refuse(clip, kind, ("bridge",) if kind == "a robot" and robot.path is not None else ())
    if kind != "a robot":
        refuse(robot, kind, ("path",) if kind == "a mesh" else ())
    if kind != "a trajectory":
        refuse(trajectory, kind)


def _refuse_several(kind: str, wanted: Wanted) -> None:
    """Complain about what only meshes take."""
    if wanted.more:
        raise Complaint(f"MORE: too many files for {kind}: {' '.join(map(str, wanted.more))}")
    if wanted.html is not None:
        raise Complaint(f"--html: not supported for {kind}; remove it")


def kind_of(file: Path) -> str:
    """By its name, which may end in .gz; what is nothing else is a mesh."""
    from .check_clips import is_clip
    from .check_protein import is_protein
    from .check_robot import is_robot
    from .check_trajectory import is_trajectory

    tests = {
        "a protein": is_protein,
        "motion capture": is_clip,
        "a robot": is_robot,
        "a trajectory": is_trajectory,
    }
    return next((kind for kind, test in tests.items() if test(file)), "a mesh")


def _check_mesh(argument: str, file: Path) -> None:
    """Complain about a file that is called a mesh only because it is nothing else."""
    if file.suffix.lower() in MESHES:
        return
    import trimesh  # takes a while, and knows many more

    if file.suffix.lower().removeprefix(".") in trimesh.available_formats():
        return
    check_input(argument, file)
    hint = "; pass an SRDF file with --srdf, after the URDF file" if file.suffix.lower() == ".srdf" else ""
    if file.suffix.lower() in TOPOLOGIES:
        hint = "; pass a topology with --topology, after the trajectory"
    raise Complaint(f"{argument}: unknown file type '{file}'; supported: {KNOWN}{hint}")


def _meshes(a: Path, b: Path | None, wanted: Wanted, path: Path | None, moves: MoveOptions) -> int:
    from .check import check_files
    from .check_meshes import check_meshes
    from .check_motions import check_motions

    for argument, file in (("B", b), *(("MORE", each) for each in wanted.more)):
        if file is not None and kind_of(file) != "a mesh":
            raise Complaint(
                f"{argument}: '{file}' is not a mesh file; a mesh is checked against other meshes"
            )
    if path is not None or moves.motion is not None:
        refuse(moves, "a mesh", tuple(field for field in vars(moves) if field != "rows"))
        if wanted.plot is not None:
            raise Complaint("--plot: not supported for a motion of a mesh; remove it")
        _refuse_several("a motion of a mesh", wanted)
        return check_motions(a, b, path, moves, wanted)
    refuse(moves, "a mesh without --path or --motion", ("clearance",))
    if b is None:
        check_input("A", a)
        raise Complaint(f"B: missing; give a second mesh file to check '{a}' against")
    if wanted.more or moves.clearance or wanted.html is not None or wanted.plot is not None:
        return check_meshes((a, b, *wanted.more), wanted, moves)
    return check_files(a, b, pose_b=wanted.pose_b, distance=wanted.distance, json_file=wanted.json)


def _protein(a: Path, b: Path | None, wanted: Wanted, options: ProteinOptions) -> int:
    from .check_protein import check_protein

    if b is not None and kind_of(b) == "a trajectory":
        raise Complaint(f"B: give the trajectory first: elbowroom check '{b}' --topology '{a}'")
    if b is not None or wanted.pose_b is not None:
        raise Complaint(f"B: a protein is only checked against itself; remove '{b or '--pose-b'}'")
    return check_protein(a, options, distance=wanted.distance, json_file=wanted.json)


def _clips(a: Path, b: Path | None, wanted: Wanted, options: ClipOptions) -> int:
    from .check_clips import check_clips

    if wanted.pose_b is not None:
        raise Complaint("--pose-b: not supported for motion capture; remove it")
    if b is not None and kind_of(b) != "motion capture":
        raise Complaint(f"B: '{b}' is not a BVH file; a clip is checked alone or against another clip")
    return check_clips(a, b, options, wanted)


def _robot(
    a: Path, b: Path | None, wanted: Wanted, options: RobotOptions, moves: MoveOptions, bridge: int
) -> int:
    from .check_robot import check_robot

    if b is not None and kind_of(b) != "a mesh":
        raise Complaint(f"B: '{b}' is not a mesh file; a robot is checked alone or against a mesh")
    if b is None and wanted.pose_b is not None:
        raise Complaint("--pose-b: there is no mesh B to place; give one, or remove it")
    return check_robot(a, b, options, wanted, moves, bridge)


def _trajectory(
    a: Path,
    b: Path | None,
    wanted: Wanted,
    options: TrajectoryOptions,
    spread: SpreadOptions,
    clip: ClipOptions,
) -> int:
    from .check_trajectory import check_trajectory

    if b is not None:
        hint = f"; pass a topology with --topology '{b}'" if kind_of(b) != "a trajectory" else ""
        raise Complaint(f"B: a trajectory is only checked against itself; remove '{b}'{hint}")
    if wanted.pose_b is not None:
        raise Complaint("--pose-b: not supported for a trajectory; remove it")
    if options.between_frames:
        from .check_between_frames import check_between_frames

        refuse(spread, "a trajectory with --between-frames")
        refuse(clip, "a trajectory with --between-frames", ("radius_scale",))
        return check_between_frames(a, options, wanted, clip.radius_scale)
    if given(spread):
        from .check_frames import check_spread

        return check_spread(a, options, spread, wanted, clip.bridge, clip.radius_scale)
    return check_trajectory(a, options, wanted, clip.bridge, clip.radius_scale)
