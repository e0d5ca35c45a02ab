"""What the ChainTree paper left to choose: the volume, and whether boxes are shrunk (its section 6.1)."""

from __future__ import annotations

from dataclasses import replace

from elbowroom import scenes
from elbowroom.pictures import png
from elbowroom.pictures.exhibits import Picture, Table

from .chaintree_walks import Scene, Tally, chain_tree, random_moves, walk
from .findings import Chapter, Comparison, Findings, Settings, Tell
from .plots import bars

VARIANTS = {
    "obb": chain_tree(),
    "obb, shrunk": chain_tree(shrink=True),
    "rss": chain_tree(volume="rss"),
    "capsule": chain_tree(volume="capsule"),
    "sphere": chain_tree(volume="sphere"),
}


def run(settings: Settings, tell: Tell) -> Findings:
    """Every variant on a compact chain, a backbone and a coil."""
    shorter = settings if settings.full else replace(settings, steps=max(1, settings.steps // 4))
    tallies: dict[str, dict[str, Tally]] = {}
    for scene in _scenes():
        tell(f"{scene.name}: volumes and shrinking")
        moves = random_moves(len(scene.positions), shorter)
        tallies[scene.name] = {
            name: walk(make(scene.positions, scene), moves)[0] for name, make in VARIANTS.items()
        }
    return Findings(
        _comparisons(tallies),
        [_table(tallies)],
        [_plot(tallies)],
        {
            scene: {name: tally.figures() for name, tally in by_variant.items()}
            for scene, by_variant in tallies.items()
        },
    )


def _scenes() -> list[Scene]:
    return [
        Scene("compact chain", scenes.serpentine(1_000), 1.0, 1),
        Scene("backbone", scenes.backbone(969), 1.15, 3),
        Scene("coil", scenes.coil(1_000), 0.5, 1),
    ]


def _comparisons(tallies: dict[str, dict[str, Tally]]) -> list[Comparison]:
    found = []
    for scene, by_variant in tallies.items():
        base = by_variant["obb"]
        for name, tally in by_variant.items():
            if name != "obb":
                share = tally.box_tests / base.box_tests
                words = f"not in the paper; time x {tally.total_us / base.total_us:.2f}"
                found.append(Comparison(f"{scene}: {name} / obb", share, None, words))
    return found


def _table(tallies: dict[str, dict[str, Tally]]) -> Table:
    rows = []
    for scene, by_variant in tallies.items():
        for name, tally in by_variant.items():
            values = (tally.box_tests, tally.leaf_tests, tally.update_us, tally.test_us)
            rows.append([f"{scene}: {name}", *(f"{value:,.1f}" for value in values)])
    return Table("Per operation", ["tree", "box tests", "leaf tests", "µs update", "µs test"], rows)


def _plot(tallies: dict[str, dict[str, Tally]]) -> Picture:
    groups = list(tallies)
    panels = {
        "volume tests": {name: [by[name].box_tests for by in tallies.values()] for name in VARIANTS},
        "µs per operation": {name: [by[name].total_us for by in tallies.values()] for name in VARIANTS},
    }
    figure = bars(panels, groups, "per operation")
    alt = "Bars of volume tests and of time for five kinds of volumes on three chains, on logarithmic scales."
    return Picture(png(figure), alt, "The binary tree with other volumes, and with boxes shrunk.", wide=True)


CHAPTER = Chapter(
    "Volumes and shrinking: section 6",
    "The paper takes oriented boxes and names two ways to go on: boxes shrunk until they touch the chain "
    "(6.1), and rectangle-swept spheres (6.3). Here they are, with capsules and spheres besides. The numbers "
    "are volume tests, as a share of those with plain boxes.",
    run,
)
