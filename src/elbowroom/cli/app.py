"""Commands and options. Each command's work is in a module of its own, imported when the command runs."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from .complaint import joined, json_alone
from .endings import STATUSES, ended
from .options import ClipOptions, MoveOptions, ProteinOptions, RobotOptions, TrajectoryOptions, Wanted
from .plan_options import ArmOptions, Asked, BoxOptions, PlanFiles, PlannerOptions
from .sample_options import BeadOptions, CampaignOptions, ChainOptions, ResultOptions, WalkOptions
from .view import VIEW_EXAMPLE, view

TOUR_EXAMPLE = """Example: `elbowroom tour --out reports --json figures.json`"""
REPRODUCE_EXAMPLE = """Example: `elbowroom reproduce chaintree --out reports --json figures.json`, or
`elbowroom reproduce all --out reports`"""
DOCTOR_EXAMPLE = """Example: `elbowroom doctor --json installation.json`"""
CHECK_EXAMPLE = """Example: `elbowroom check gripper.stl part.obj --pose-b "0.1 0 0.25" --distance`,
`elbowroom check 1ubq.pdb --distance`, `elbowroom check dance.bvh --plot dance.png`,
`elbowroom check arm.urdf --random 10000`, `elbowroom check folding.dcd --topology protein.psf`, or
`elbowroom check piece.stl --obstacles shelf.stl --motion "0 0 1" "0.5 0 1 0.7071 0 0 0.7071" --verify`"""

PLAN_EXAMPLE = """Example: `elbowroom plan --demo --html demo.html`,
`elbowroom plan piano.stl --obstacles house.stl --start "0 0 1" --goal "5 2 1" --out path.csv`, or
`elbowroom plan arm.urdf --srdf arm.srdf --scene scene.yaml --request request.yaml --html arm.html`"""

SAMPLE_EXAMPLE = """Example: `elbowroom sample --beads 1000 --steps 1e6`,
`elbowroom sample 1ubq.pdb --steps 1e5 --out run1`, `elbowroom sample --resume run1 --steps 2e5`,
`elbowroom sample --beads 100 --epsilon 1 --sigma 1 --temperature 1,1.5,2 --steps 1e6 --out run2`, or
`elbowroom sample run.toml --replicas 8 --workers 2 --out campaign`"""

app = App(
    name="elbowroom",
    help="Proximity questions about bodies in space: do they collide, how far apart, how deep.",
    version=lambda: f"elbowroom {version('elbowroom')}",
    help_format="markdown",
    help_epilogue=f"Example: `elbowroom tour`. {STATUSES}",
    print_error=False,
    exit_on_error=False,
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)
app.register_install_completion_command(
    help="Let the shell complete commands and options of elbowroom: bash, zsh or fish.",
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
    """Show what this release does on built-in scenes, and write an HTML report with pictures.

    Parameters
    ----------
    out
        Folder of the report, elbowroom-tour.html; made if it is missing.
    quick
        Fewer queries and smaller pictures.
    json
        File for the measured figures; - is stdout, where nothing else is then printed. So it is everywhere.
    """
    from .tour import take_tour

    return take_tour(out, quick=quick, json_file=json)


@app.command(help_epilogue=CHECK_EXAMPLE)
def check(
    a: Path,
    b: Path | None = None,
    /,
    *,
    pose_b: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    distance: Annotated[bool, flag] = False,
    json: Path | None = None,
    plot: Path | None = None,
    protein: ProteinOptions | None = None,
    clip: ClipOptions | None = None,
    robot: RobotOptions | None = None,
    trajectory: TrajectoryOptions | None = None,
    moves: MoveOptions | None = None,
) -> int:
    """Say whether bodies collide with each other or with themselves: status 0 free, 1 collision, 2 an error.

    Two meshes: a mesh is its surface, so one that lies wholly inside another without touching it is free.
    With --motion or --path the first moves, and "free" is a proof for all times, not for samples; what can be
    neither proved nor refuted within --tolerance is "undecided", with status 1.

    A protein, with itself: van der Waals radii are scaled by 0.7, gaps are bridged, and atoms that hang on
    the same or on nearby backbone atoms are not compared, so a side chain is not held against its own
    backbone.

    Motion capture, a figure with itself or two with each other: when which bones overlap, and how deep.
    Bones are capsules; those that meet or overlap in the rest pose are not compared. Frames count from 0.

    A robot, with itself or, instead, with a mesh: which links overlap. With a mesh, the robot is not compared
    with itself. Links next to each other are not compared, or those that --srdf names. Where this leaves no
    pair of links, or of bones, the answer is "nothing is compared", and the status 0.

    A trajectory, with itself, frame by frame: which two atoms or beads are nearest, and which overlap. PDB
    files are trajectories if they come with any option of these. Frames count from 0.

    Parameters
    ----------
    a
        Mesh file: OBJ, STL, PLY, OFF or GLB; a protein: PDB or mmCIF; motion capture: BVH; a robot: URDF; or
        a trajectory: DCD, XTC, TRR, XYZ, ..., .npy or .npz. Proteins, clips and robots may be gzipped.
    b
        Mesh file of the second body, for a mesh or a robot; or a second BVH file.
    pose_b
        Where the mesh b stands: "x y z", or a .npy or .txt file with a 4x4 matrix that maps b to the world.
    distance
        Also measure how far apart they are, and where; of one body, its two nearest parts; of a trajectory,
        list these for every frame.
    json
        File for the verdict with all that was found.
    plot
        PNG file for a picture of figures or robots at their worst, with a timeline; of trajectories, for the
        closest gap and the number of overlaps over the frames.
    protein, clip, robot, trajectory, moves
        What only these take.
    """
    from .kinds import check_any

    options = (
        protein or ProteinOptions(),
        clip or ClipOptions(),
        robot or RobotOptions(),
        trajectory or TrajectoryOptions(),
        moves or MoveOptions(),
    )
    return check_any(a, b, Wanted(pose_b, distance, json, plot), *options)


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
    """Find a path from a start to a goal, every motion of it proved free: status 0, or 1 if none is found.

    A mesh goes straight from pose to pose and turns about one axis each time. The joints of a robot go from
    configuration to configuration, each at its own rate; it is compared with itself and with what stands
    about. Meshes are surfaces: to be inside one without touching it is free.

    Parameters
    ----------
    body
        Mesh file of a rigid body: OBJ, STL, PLY, OFF or GLB; or a robot: URDF.
    start
        Where it begins: "x y z", "x y z qw qx qy qz" or a file with a 4x4 matrix; of a robot, "joint=0.1,..."
        or all values; or a CSV file, of which the first row counts.
    goal
        Where it is to end, likewise; of a CSV file the last row counts.
    obstacles
        Mesh files of what stands about.
    scene
        YAML file of a planning scene of MoveIt, with what stands about; also in a tar archive, as
        archive.tar.bz2/folder/scene.yaml.
    demo
        Show a built-in example: a hook that must turn to get through a window.
    planner, box, arm, files
        How, where, of robots, and what is written.
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
    """Sample the shapes of a chain that are free of collisions, by Monte Carlo: averages with their errors.

    Every shape that is free of collisions is as likely as any other, or with an energy E and a temperature T,
    has the weight exp(-E / T). Torsions, rebridging and side chains keep bond lengths and angles; pivots and
    crankshafts keep bond lengths alone. The same options and seed give the same run, bit for bit.

    Ctrl-C, SIGTERM or a machine that fails loses nothing up to the last checkpoint: --resume goes on from
    there.

    Parameters
    ----------
    file
        A protein: PDB or mmCIF, also gzipped; or a TOML file with a whole run, in tables: chain, moves,
        energy, run, output and campaign. Options come before what the file says.
    beads, protein, walk, results, campaign
        What is sampled, how, and what becomes of it.
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
    """Say whether this installation is sound: status 0, or 1 if something is missing or answers wrongly.

    Versions, which build of the core the processor runs, which extras are there and how to get the others;
    and in a few seconds a self-test, which compares answers about every kind of body with brute force.

    Parameters
    ----------
    json
        File for all that was found; - is stdout.
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
    """Measure a paper's tables and figures again, and set ours beside the paper's own numbers.

    Parameters
    ----------
    paper
        Which paper: chaintree (chains, 2002), cab (articulated bodies, 2004), necklaces (2002), motion
        (rigid bodies on their way, 2014) or budget (checks on a budget, 2006); or all: every paper at quick
        sizes, some minutes, in one report.
    full
        Of chaintree, every structure takes all of the paper's 20,000 steps, which takes an hour or more.
        Of necklaces, also the helix of 25,600 beads and larger grids. Of motion, ten seeds instead of three,
        and all connections in Python too. Of budget, as many checks as the paper's 327,679, and more paths,
        which takes about six minutes. The others run in full anyway.
    out
        Folder of the report, elbowroom-PAPER.html, or elbowroom-papers.html of all; made if it is missing.
    json
        File for every number.
    pdb
        Of chaintree: protein files (PDB or mmCIF) whose names begin with the paper's four letters, 1SHG,
        1B4E or 1LOX, or further ones. Of necklaces: 1A4Y or 1CEM, of which the first chain is taken.
        Proteins without a file are made up.
    steps
        Of chaintree: random steps of each walk; the paper has 20,000.
    step
        Of chaintree: largest torsion of a random step, in degrees; the paper does not say.
    frames
        Of cab: frames of each motion; the paper has 10,000, and 4,001 of the hand, which keeps that share.
    nodes
        Of motion: nodes of each tree; the paper has 10,000.
    checks
        Of budget: checks that the roadmap makes, about; the paper has 327,679.
    """
    from elbowroom.reproduce import Settings

    from .reproduce import reproduce as measure

    return measure(paper, Settings(full, steps, step, tuple(pdb or ()), frames, nodes, checks), out, json)


app.command(view, help_epilogue=VIEW_EXAMPLE)
