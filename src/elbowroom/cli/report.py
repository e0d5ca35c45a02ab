"""Reports: one HTML page that needs nothing but itself."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from itertools import zip_longest

from elbowroom.pictures.exhibits import Picture
from elbowroom.pictures.player import player_script, player_style, stage

from .stops.stop import HEADINGS, Section, Stop

Visit = tuple[Stop, Section]
Facts = Sequence[tuple[str, str]]


PREAMBLE = "import elbowroom as er\nfrom elbowroom import scenes"
MEASURED = "Measurements: average time and tests of one query"


def page(title: str, lead: str, facts: Facts, visits: Sequence[Visit]) -> str:
    """The tour's page: `lead` is a sentence under the title, `facts` a line of names and values."""
    titles = [(f"stop-{k}", stop.title) for k, (stop, _) in enumerate(visits, 1)]
    stops = "".join(_section(k, *visit) for k, visit in enumerate(visits, 1))
    words = f"<p>All Python code below starts with these lines.</p><pre><code>{escape(PREAMBLE)}</code></pre>"
    return shell(title, lead, facts, titles, stops, words)


def shell(
    title: str, lead: str, facts: Facts, sections: Sequence[tuple[str, str]], body: str, words: str = ""
) -> str:
    """The whole page around its sections, which are given as (id, title) for the contents and as HTML."""
    contents = "".join(f'<li><a href="#{name}">{escape(heading)}</a></li>' for name, heading in sections)
    plays = '<figure class="scene' in body
    style, script = (player_style(), player_script()) if plays else ("", "")
    known = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        f'<header><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><dl>{known}</dl>'
        f"{words}<nav><ol>{contents}</ol></nav></header>\n{body}</main>\n{script}</body>\n</html>\n"
    )


def _section(number: int, stop: Stop, section: Section) -> str:
    parts = [
        f'<section id="stop-{number}">\n<h2>{number}. {escape(stop.title)}</h2>\n',
        f"<p>{escape(stop.shows)}</p>\n",
        *(stage(scene) for scene in section.scenes),
        f"<pre><code>{escape(stop.code)}</code></pre>\n",
        table(MEASURED, HEADINGS, [row.cells() for row in section.rows], kind="measured"),
        '<div class="pictures">',
        *(figure(picture) for picture in section.pictures),
        "</div>\n",
        *(table(t.caption, t.headings, t.rows) for t in section.tables),
        "</section>\n",
    ]
    return "".join(parts)


def table(
    caption: str,
    headings: Iterable[str],
    rows: Iterable[Sequence[str]],
    kind: str = "plain",
    marks: Sequence[str] = (),
) -> str:
    """A table as HTML; `marks` are classes of its rows, one for each, for the style sheet."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(_table_row(row, mark) for row, mark in zip_longest(rows, marks, fillvalue=""))
    return (
        f'<div class="table"><table class="{kind}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>\n"
    )


def _table_row(row: Sequence[str], mark: str) -> str:
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
    kind = f' class="{mark}"' if mark else ""
    return f'<tr{kind}><th scope="row">{escape(row[0])}</th>{cells}</tr>'


def figure(picture: Picture) -> str:
    """A picture as HTML, with the PNG file inside, or the GIF file if it moves."""
    data = base64.b64encode(picture.png).decode("ascii")
    kind = "gif" if picture.png.startswith(b"GIF") else "png"
    width = ' class="wide"' if picture.wide else ""
    return (
        f'<figure{width}><img src="data:image/{kind};base64,{data}" alt="{escape(picture.alt, quote=True)}">'
        f"<figcaption>{escape(picture.caption)}</figcaption></figure>"
    )


STYLE = """
:root {
  --page: #fbfbfa; --ink: #22262b; --soft: #626a73; --line: #dfe2e6; --card: #f1f3f5; --link: #1f6fb5;
  --good: #1d7a4c; --other: #a8590f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --ink: #e4e7ea; --soft: #98a1aa; --line: #2d3339; --card: #1d2226; --link: #7db8ee;
    --good: #6cc79a; --other: #e5a25c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); }
body { font: 16px/1.55 system-ui, "Segoe UI", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.35rem; margin: 0 0 .4rem; }
section { margin-top: 2.5rem; padding-top: 2rem; border-top: 1px solid var(--line); }
p { max-width: 46rem; }
.lead, figcaption, caption, dt { color: var(--soft); }
.lead { font-size: 1.1rem; margin: 0 0 1.2rem; }
a { color: var(--link); }
nav ol { columns: 20rem; }
dl { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: 0 0 1rem; }
dt { font-size: .8rem; }
dd { margin: 0; font-weight: 600; }
pre { background: var(--card); border-radius: 8px; padding: .9rem 1.1rem; overflow-x: auto; }
pre { font-size: .88rem; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.table { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; min-width: 60%; }
caption { text-align: left; white-space: nowrap; font-size: .85rem; padding-bottom: .35rem; }
th, td { padding: .38rem .9rem; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; }
th:first-child, .measured th:last-child, .measured td:last-child { text-align: left; }
th:first-child { padding-left: 0; }
.reproduced td:last-child { color: var(--good); }
.better td:last-child { color: var(--link); }
.differs td:last-child { color: var(--other); }
details { margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; padding: 0 1rem; }
summary { cursor: pointer; padding: .6rem 0; font-weight: 600; }
thead th { color: var(--soft); font-size: .82rem; vertical-align: bottom; }
.pictures { display: grid; gap: 1.4rem; align-items: start; }
.pictures { grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
figure { margin: 0; }
.wide { grid-column: 1 / -1; }
img { width: 100%; height: auto; display: block; }
figcaption { font-size: .88rem; margin-top: .4rem; }
@media print { section { break-inside: avoid; } }
"""
