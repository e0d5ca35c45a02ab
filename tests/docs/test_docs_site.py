"""The site: built as its command says, without a warning; whole, and asking nothing of other machines."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browser import Show
from public_names import public_names

pytestmark = pytest.mark.documents

ROOT = Path(__file__).parents[2]
COMMAND = ROOT / "tools" / "build_docs.py"
#: One of each kind: a front page, tables, formulas, signatures, pictures, long code.
SEEN = (
    "index.html",
    "howto/batches.html",
    "theory/motion.html",
    "api/chain.html",
    "tutorials/robot.html",
    "examples.html",
    "comparison.html",
)
#: What a browser fetches by itself; where a reader may click is another matter.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}


class Parts(HTMLParser):
    """Where a page links to, what it fetches, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.places = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.places.add(found.get("id", ""))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if FETCHED.get(tag) in found:
            self.fetched.append(found[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, as the command makes it."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    done = subprocess.run(
        [sys.executable, str(COMMAND), str(folder)], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert Path(done.stdout.strip()) == folder / "index.html"
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Parts]:
    """All pages, taken apart."""
    return {page: Parts(page.read_text(encoding="utf-8")) for page in site.rglob("*.html")}


def test_every_page_is_there(site: Path, pages: dict[Path, Parts]) -> None:
    written = [*(ROOT / "docs").rglob("*.md")]
    assert len(written) > 50
    for page in written:
        assert site / page.relative_to(ROOT / "docs").with_suffix(".html") in pages


def test_links_within_the_site_lead_somewhere(pages: dict[Path, Parts]) -> None:
    broken = []
    for page, parts in pages.items():
        for link in {link for link in parts.links if not urlsplit(link).scheme}:
            target = page if link.startswith("#") else (page.parent / unquote(urlsplit(link).path)).resolve()
            known = pages[target].places if target in pages else {""}
            if not target.exists() or unquote(urlsplit(link).fragment) not in known:
                broken.append(f"{page.name}: {link}")
    assert broken == []


def test_pages_fetch_nothing_from_elsewhere(site: Path, pages: dict[Path, Parts]) -> None:
    assert sum(len(parts.fetched) for parts in pages.values()) > 100
    for page, parts in pages.items():
        assert [address for address in parts.fetched if urlsplit(address).netloc] == [], page.name
    for sheet in site.rglob("*.css"):
        assert re.findall(r"url\(['\"]?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")) == [], (
            sheet
        )


def test_every_public_name_can_be_looked_up(site: Path) -> None:
    from sphinx.util.inventory import InventoryFile

    found = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    assert sorted(public_names().keys() - set(names_in(found))) == []


def names_in(inventory: object) -> list[str]:
    """The Python names of an inventory."""
    data = getattr(inventory, "data", inventory)
    return [name for kind, names in data.items() if kind.startswith("py:") for name in names]


def test_names_in_running_text_are_links(pages: dict[Path, Parts], site: Path) -> None:
    assert "../api/sampling.html#elbowroom.sampling.campaign" in pages[site / "howto/batches.html"].links
    assert "articulated.html#elbowroom.Articulated.from_urdf" in pages[site / "api/files.html"].links
    assert "../references.html#" in " ".join(pages[site / "theory/motion.html"].links)


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("dark", [False, True])
def test_a_page_in_a_browser_asks_nothing_of_other_machines(
    site: Path, show: Show, name: str, dark: bool
) -> None:
    shown = show(site / name, dark=dark)
    assert shown.page.locator("h1").first.is_visible()
    broken = "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
    assert shown.page.evaluate(broken) == []
    shown.judge()


def test_nothing_is_wider_than_a_small_screen(site: Path, show: Show) -> None:
    for name in SEEN:
        shown = show(site / name, size=(420, 900))
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= 420, name


def test_formulas_are_drawn(site: Path, show: Show) -> None:
    shown = show(site / "theory/motion.html")
    height = shown.page.locator("div.math math").first.evaluate("e => e.getBoundingClientRect().height")
    assert height > 20  # of a fraction, taller than a line


def test_the_search_finds(site: Path, show: Show) -> None:
    shown = show(f"{(site / 'search.html').as_uri()}?q=separating_pairs")
    shown.page.locator("#search-results li a").first.wait_for()
    assert any(
        "necklace" in link
        for link in shown.page.locator("#search-results a").evaluate_all("a => a.map(x => x.href)")
    )
    shown.judge()
