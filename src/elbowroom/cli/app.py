"""Commands and options. Each command's work is in a module of its own, imported when the command runs."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from .clash import CLASH_EXAMPLE, clash
from .complaint import joined, json_alone
from .endings import STATUSES, ended
from .matrix import MATRIX_EXAMPLE, matrix
from .options import (
    ClipOptions,
    MoveOptions,
    ProteinOptions,
    RobotOptions,
    SpreadOptions,
    TrajectoryOptions,
    Wanted,
)
from .plan_options import ArmOptions, Asked, BoxOptions, PlanFiles, PlannerOptions
from .sample_options import BeadOptions, CampaignOptions, ChainOptions, ResultOptions, WalkOptions
from .view import VIEW_EXAMPLE, view

TOUR_EXAMPLE = "Example: `elbowroom tour --out reports --json figures.json`"
REPRODUCE_EXAMPLE = """Examples:

- `elbowroom reproduce chaintree --out reports --json figures.json`
- `elbowroom reproduce all --out reports`"""
DOCTOR_EXAMPLE = "Example: `elbowroom doctor --json installation.json`"
CHECK_EXAMPLE = """Examples:

- `elbowroom check gripper.stl part.obj --pose-b "0.1 0 0.25" --distance`
- `elbowroom check 1ubq.pdb --distance`
- `elbowroom check complex.pdb --between A B --scale 0.6`
- `elbowroom check dance.bvh --plot dance.png`
- `elbowroom check arm.urdf --random 10000`
- `elbowroom check folding.dcd --topology protein.psf`
- `elbowroom check folding.dcd --topology protein.psf --between-frames`
- `elbowroom check long.xtc --topology start.gro --cluster local --out found`
- `elbowroom check a.stl --obstacles b.stl --motion "0 0 1" "0.5 0 1" --verify`"""
PLAN_EXAMPLE = """Examples:

- `elbowroom plan --demo --html demo.html`
- `elbowroom plan a.stl --obstacles b.stl --start "0 0 1" --goal "5 2 1" --out path.csv`
- `elbowroom plan arm.urdf --srdf arm.srdf --scene scene.yaml --request request.yaml --html arm.html`"""
SAMPLE_EXAMPLE = """Examples:

- `elbowroom sample --beads 1000 --steps 1e6`
- `elbowroom sample 1ubq.pdb --steps 1e5 --out run1`
- `elbowroom sample --resume run1 --steps 2e5`
- `elbowroom sample --beads 100 --sigma 1 --temperature 1,1.5,2 --steps 1e6`
- `elbowroom sample run.toml --replicas 8 --workers 2 --out campaign`"""

app = App(
    name="elbowroom",
    help="Proximity queries about rigid, articulated and flexible bodies: collision, distance, depth.",
    version=lambda: f"elbowroom {version('elbowroom')}",
    help_format="markdown",
    help_epilogue=f"Example: `elbowroom tour`. {STATUSES}",
    print_error=False,
    exit_on_error=False,
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)
app.register_install_completion_command(
    help="Install shell completion of commands and options, for bash, zsh or fish.",
    help_epilogue="Example: `elbowroom --install-completion --shell bash`",
)
flag = Parameter(negative=())


def run(arguments: list[str]) -> int:
    """Exit status of the command line; every error is one line on stderr, and so is every warning."""
    words = joined(arguments)
    with json_alone(words):
        return ended(lambda: app(words))


@app.command(help_epilogue=TOUR_EXAMPLE)
def tour(
    *,
    out: Path = Path("."),
    quick: Annotated[bool, flag] = False,
    json: Path | None = None,
) -> int:
    """Run every kind of query on built-in scenes and write an HTML report with animations.

    Parameters
    ----------
    out
        Folder for the report, elbowroom-tour.html. Created if it does not exist.
    quick
        Run fewer queries and draw smaller pictures.
    json
        File for the measurements. With -, JSON is the only output on stdout.
    """
    from .tour import take_tour

    return take_tour(out, quick=quick, json_file=json)


@app.command(help_epilogue=CHECK_EXAMPLE)
def check(
    a: Path,
    b: Path | None = None,
    /,
    *more: Path,
    pose_b: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    distance: Annotated[bool, flag] = False,
    json: Path | None = None,
    plot: Path | None = None,
    html: Path | None = None,
    protein: ProteinOptions | None = None,
    clip: ClipOptions | None = None,
    robot: RobotOptions | None = None,
    trajectory: TrajectoryOptions | None = None,
    spread: SpreadOptions | None = None,
    moves: MoveOptions | None = None,
) -> int:
    """Check for collisions between or within bodies. Exit status: 0 free, 1 collision, 2 error.

    **Meshes:** meshes are checked against each other. A mesh is a surface: a mesh inside another that does
    not touch it is free, and the result says so. `elbowroom clash` is for assemblies of many parts. With
    --motion or --path the first mesh moves, and "free" is a proof for the whole motion. If neither is proved
    within --tolerance, the result is "undecided" with status 1.

    **Proteins:** a chain is checked for self-collision, or with --between two chains against each other. Van
    der Waals radii are scaled by 0.6 or --scale, gaps are bridged, and atoms more than three bonds apart are
    compared. The clash score is by MolProbity's definition, overlaps of more than 0.4 A of the unscaled radii
    per 1000 atoms, but of heavy atoms with Bondi's radii. MolProbity adds hydrogens and has radii of its own:
    compare scores of this command with each other only.

    **Motion capture:** a figure is checked for self-collision, or two figures against each other. Bones are
    capsules; bones that overlap in the rest pose are not compared. Frames count from 0.

    **Robots:** checked for self-collision, or against a mesh instead. Adjacent links, or the pairs in
    --srdf, are not compared. If no pair is left, the result is "nothing is compared" with status 0.

    **Trajectories:** the closest and the overlapping atoms or beads of every frame. A PDB file is read as a
    trajectory if a trajectory option is given. Frames count from 0. With --between-frames: what overlaps or
    crosses from each frame to the next; "free" is a proof for linear motion.

    Parameters
    ----------
    a
        Mesh (OBJ, STL, PLY, OFF, GLB), protein (PDB, mmCIF), motion capture (BVH), robot (URDF) or
        trajectory (DCD, XTC, TRR, XYZ, NPY, NPZ, ...). Proteins, BVH and URDF files may be gzipped.
    b
        Second mesh, for a mesh or a robot; or second BVH file.
    more
        Further meshes; all are checked against all.
    pose_b
        Pose of mesh B: "x y z", or a .npy or .txt file with a 4x4 matrix that maps B to the world.
    distance
        Also report the distance and the closest points or parts; for a trajectory, in every frame.
    json
        File for the full result.
    plot
        PNG file: meshes, figures or robots at the deepest contact, with a timeline; for trajectories, the
        closest gap and the number of overlaps in each frame.
    html
        HTML file for meshes: a table of the pairs that collide or are too near, and a view of each.
    protein, clip, robot, trajectory, spread, moves
        Options of single kinds of files.
    """
    from .kinds import check_any

    options = (
        protein or ProteinOptions(),
        clip or ClipOptions(),
        robot or RobotOptions(),
        trajectory or TrajectoryOptions(),
        spread or SpreadOptions(),
        moves or MoveOptions(),
    )
    return check_any(a, b, Wanted(pose_b, distance, json, plot, html, more), *options)


@app.command(help_epilogue=PLAN_EXAMPLE)
def plan(
    body: Path | None = None,
    /,
    *,
    start: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    goal: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    obstacles: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative=())] = (),
    scene: Path | None = None,
    demo: Annotated[bool, flag] = False,
    planner: PlannerOptions | None = None,
    box: BoxOptions | None = None,
    arm: ArmOptions | None = None,
    files: PlanFiles | None = None,
) -> int:
    """Find a collision-free path from a start to a goal. Exit status: 0, or 1 if no path is found.

    Every motion of the path is proved free. A mesh moves linearly from pose to pose and rotates about a fixed
    axis. Robot joints move linearly from configuration to configuration; the robot is checked against itself
    and the obstacles. Meshes are surfaces: a body inside one that does not touch it is free.

    Parameters
    ----------
    body
        Mesh of a rigid body (OBJ, STL, PLY, OFF, GLB) or robot (URDF).
    start
        Start pose: "x y z", "x y z qw qx qy qz" or a file with a 4x4 matrix. For a robot: "joint=0.1,..." or
        all joint values. Or a CSV file, whose first row is used.
    goal
        Goal, in the same form; the last row of a CSV file is used.
    obstacles
        Mesh files of obstacles.
    scene
        MoveIt planning scene (YAML) with obstacles. It may be in a tar archive:
        archive.tar.bz2/folder/scene.yaml.
    demo
        Solve a built-in example: a hook that must rotate to pass through a window.
    planner, box, arm, files
        Options of the planner, rigid bodies, robots and output.
    """
    from .plan import plan as find

    asked = Asked(body, start, goal, obstacles, scene, demo)
    options = (planner or PlannerOptions(), box or BoxOptions(), arm or ArmOptions(), files or PlanFiles())
    return find(asked, *options)


@app.command(help_epilogue=SAMPLE_EXAMPLE)
def sample(
    file: Path | None = None,
    /,
    *,
    beads: BeadOptions | None = None,
    protein: ChainOptions | None = None,
    walk: WalkOptions | None = None,
    results: ResultOptions | None = None,
    campaign: CampaignOptions | None = None,
) -> int:
    """Sample collision-free shapes of a chain by Monte Carlo, and print averages with errors.

    All collision-free shapes are equally likely; with an energy E and a temperature T they have the weight
    exp(-E / T). Torsion, rebridging and side-chain moves keep bond lengths and angles; pivot and crankshaft
    moves keep bond lengths only. The same options and seed give the same run, bit for bit.

    After Ctrl-C, SIGTERM or a crash, --resume continues from the last checkpoint.

    Parameters
    ----------
    file
        Protein (PDB or mmCIF, also gzipped), or a TOML file that describes a run in the tables chain, moves,
        energy, run, output and campaign. Options override the TOML file.
    beads, protein, walk, results, campaign
        Options of chains, sampling, output and campaigns.
    """
    from .sample import sample as run_it

    groups = (
        beads or BeadOptions(),
        protein or ChainOptions(),
        walk or WalkOptions(),
        campaign or CampaignOptions(),
    )
    return run_it(file, results or ResultOptions(), groups)


@app.command(help_epilogue=DOCTOR_EXAMPLE)
def doctor(*, json: Path | None = None) -> int:
    """Check the installation. Exit status: 0, or 1 if a package is missing or a result is wrong.

    Prints versions, the build of the core in use, the installed extras and how to install the others, and
    compares results for every kind of body with brute force, which takes a few seconds.

    Parameters
    ----------
    json
        File for the full result; - is stdout.
    """
    from .doctor import examine

    return examine(json)


@app.command(help_epilogue=REPRODUCE_EXAMPLE)
def reproduce(
    paper: str,
    /,
    *,
    full: Annotated[bool, flag] = False,
    out: Path = Path("."),
    json: Path | None = None,
    pdb: Annotated[list[Path] | None, Parameter(consume_multiple=True, negative=())] = None,
    steps: int = 20_000,
    step: float = 10.0,
    frames: int = 10_000,
    nodes: int = 10_000,
    checks: int = 30_000,
) -> int:
    """Measure the tables and figures of a paper again, and compare them with the published numbers.

    Parameters
    ----------
    paper
        chaintree (chains, 2002), cab (articulated bodies, 2004), necklaces (2002), motion (motions of rigid
        bodies, 2014) or budget (time-limited checks, 2006); or all: every paper at reduced size in one
        report, which takes some minutes.
    full
        Full size. chaintree: all 20,000 steps for every structure, an hour or more. necklaces: also the helix
        of 25,600 beads and larger grids. motion: ten seeds instead of three, and all connections in Python
        too. budget: 327,679 checks and more paths, about six minutes. cab always runs at full size.
    out
        Folder for the report, elbowroom-PAPER.html or elbowroom-papers.html. Created if it does not exist.
    json
        File for all numbers.
    pdb
        chaintree: protein files (PDB or mmCIF) whose names begin with 1SHG, 1B4E or 1LOX, or others.
        necklaces: 1A4Y or 1CEM; the first chain is used. Proteins without a file are replaced by generated
        chains.
    steps
        chaintree: random steps of each walk; 20,000 in the paper.
    step
        chaintree: largest torsion of a random step, in degrees; not given in the paper.
    frames
        cab: frames of each motion; 10,000 in the paper. The hand has 4,001 of 10,000, and keeps that ratio.
    nodes
        motion: nodes of each tree; 10,000 in the paper.
    checks
        budget: approximate number of checks of the roadmap; 327,679 in the paper.
    """
    from elbowroom.reproduce import Settings

    from .reproduce import reproduce as measure

    return measure(paper, Settings(full, steps, step, tuple(pdb or ()), frames, nodes, checks), out, json)


app.command(matrix, help_epilogue=MATRIX_EXAMPLE)
app.command(view, help_epilogue=VIEW_EXAMPLE)
app.command(clash, help_epilogue=CLASH_EXAMPLE)
