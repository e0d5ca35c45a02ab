"""Settings of the documentation site; `python tools/build_docs.py` builds it.

Nothing on its pages comes from elsewhere: formulas are MathML, and fonts are those of the reader's machine.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "elbowroom"
author = "The elbowroom founders"
project_copyright = "The elbowroom founders, BSD-3-Clause"
version = release = version_of("elbowroom")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
    "cyclopts.ext.sphinx",
    "citations",
    "mathml",
    "names",
    "outside",
    "signatures",
]
exclude_patterns = ["_extensions", "**/README.md"]
needs_sphinx = "9.0"
smartquotes_action = "qe"  # quotes and ellipses; -- is mostly the beginning of an option

# Markdown
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = True

# Docstrings
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("ArrayLike", "Floats", "Refit")}
autosummary_generate = False
maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_attr_annotations = False
napoleon_custom_sections = [("Attributes", "params_style")]
napoleon_use_admonition_for_examples = False
toc_object_entries_show_parents = "hide"

# References
bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "keyed"
bibtex_reference_style = "label"

# Pages
html_theme = "furo"
html_title = f"elbowroom {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse to pages from a disk
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"

#: Pages show tables with commas, which have no colours.
suppress_warnings = ["misc.highlighting_failure"]
