"""Only `_writing` writes files; the exceptions are listed here with their reasons."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "elbowroom"
#: Where files are written.
HOME = "_writing.py"
#: Calls that are allowed elsewhere: what is written, and why not by `_writing`, or how by it.
#: (`elbowroom --install-completion` belongs to cyclopts, which adds to the files of the user's shell.)
ALLOWED = {
    # Files that grow while a run goes on. A frame is appended at a time, and after a kill the run is cut back
    # to the frames that its checkpoint counts. A run creates them in a folder that holds no other run.
    ("files/dcd.py", "open"): "trajectories",
    ("files/dcd.py", "truncate"): "trajectories",
    # A lock stays empty. It must be the same file for all processes, so it is never replaced.
    ("sampling/_disk/lock.py", "open"): "locks",
    # Not files of the user.
    ("cli/endings.py", "os.open"): "the null device, in place of a stdout that nobody reads any more",
    ("pictures/drawing.py", "savefig"): "into memory",
    ("cli/clash_files.py", "ZipFile"): "into memory",
    ("reproduce/necklaces_paint.py", "TemporaryDirectory"): "a film that is read back",
    ("reproduce/necklaces_paint.py", "save"): "the film: matplotlib insists on a path",
    (
        "files/writing.py",
        "TemporaryDirectory",
    ): "frames: writers of DCD and XTC insist on a path; then copied",
    ("sampling/_campaign/local.py", "TemporaryDirectory"): "what dask keeps while a campaign runs",
    # Libraries that write into a file of `_writing.replacing`.
    ("files/saved_mesh.py", "savez"): "NumPy",
    ("separating.py", "savez_compressed"): "NumPy",
    ("pictures/saving.py", "savefig"): "matplotlib",
    ("sampling/_disk/parts.py", "write_table"): "pyarrow",
    ("sampling/_disk/parts.py", "ParquetWriter"): "pyarrow",
    ("sampling/_campaign/collect.py", "write_table"): "pyarrow",
    ("sampling/_campaign/collect.py", "ParquetWriter"): "pyarrow",
    # Methods of the package that are called alike.
    ("cli/plan.py", "to_csv"): "elbowroom.planning.Path, which writes by `_writing`",
    ("sampling/folder.py", "write_pdb"): "elbowroom.files.pdb_writer, which writes by `_writing`",
    ("sampling/_walk/loop.py", "save"): "the state of a sampler, as bytes",
    ("sampling/_walk/walkers.py", "save"): "the state of a sampler, as bytes",
    ("viewer/panel.py", "save"): "a download, which the browser writes",
}
#: Names of functions that create, write or rename files, whatever they are called on.
WRITING = {
    *("write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "rename", "truncate"),
    *("fdopen", "FileIO", "mknod", "FileHandler", "urlretrieve", "extractall"),
    *("save", "savez", "savez_compressed", "savetxt", "tofile", "memmap", "open_memmap", "dump"),
    *("savefig", "imsave", "imwrite", "write_image", "write_html", "export", "export_mesh"),
    *("to_csv", "to_json", "to_parquet", "to_pickle", "to_feather", "to_excel"),
    *("write_table", "write_csv", "write_feather", "write_parquet", "ParquetWriter", "OSFile"),
    *("write_pdb", "write_minimal_pdb", "write_file"),
    *("mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "TemporaryDirectory"),
    *("copyfile", "copy2", "copytree", "copyfileobj"),
}
#: The same where the module is named, as the names alone mean much else.
NAMED = {"os.replace", "os.link", "os.symlink", "shutil.copy", "shutil.move"}
#: Modules whose `open` takes a name and a mode, as the built-in one does.
MODULES = {"io", "gzip", "bz2", "lzma", "tarfile", "codecs"}


def name_of(function: ast.expr) -> tuple[str, str]:
    """Of what is called: `np.save` is "np" and "save"."""
    if isinstance(function, ast.Attribute):
        return (function.value.id if isinstance(function.value, ast.Name) else "", function.attr)
    return "", function.id if isinstance(function, ast.Name) else ""


def may_write(call: ast.Call, method: bool) -> bool:
    """Does this call of `open` have a mode that writes, or one that cannot be seen here?"""
    modes = [word.value for word in call.keywords if word.arg == "mode"]
    modes += call.args[0:1] if method else call.args[1:2]
    texts = [mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
    hidden = len(texts) < len(modes) and not method  # the argument of a method may be something else
    return hidden or any(set(text) <= set("rwaxbt+") and set(text) & set("wax+") for text in texts)


def direct_writes(source: str) -> Iterator[tuple[int, str]]:
    """Lines of a module, and what is called there."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        owner, name = name_of(node.func)
        if name == "open" and owner == "os":
            if len(node.args) < 2 or ast.unparse(node.args[1]) != "os.O_RDONLY":
                yield node.lineno, "os.open"
        elif name in ("open", "ZipFile"):
            method = name == "open" and isinstance(node.func, ast.Attribute) and owner not in MODULES
            if may_write(node, method):
                yield node.lineno, name
        elif f"{owner}.{name}" in NAMED:
            yield node.lineno, f"{owner}.{name}"
        elif name in WRITING and owner != "_writing":
            yield node.lineno, name


def found() -> dict[tuple[str, str], list[int]]:
    """All direct writes in the package, by file and call."""
    out: dict[tuple[str, str], list[int]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for line, call in direct_writes(path.read_text(encoding="utf-8")):
            if file != HOME:
                out.setdefault((file, call), []).append(line)
    return out


def test_files_are_written_in_one_place() -> None:
    direct = {where: lines for where, lines in found().items() if where not in ALLOWED}
    assert direct == {}, "use elbowroom._writing, or list it in ALLOWED with a reason"


def test_nothing_is_listed_that_is_not_there() -> None:
    assert set(ALLOWED) <= set(found())


@pytest.mark.parametrize(
    "code",
    [
        "open(path, 'w')",
        "open(path, mode='ab')",
        "open(path, mode)",
        "path.open('x')",
        "Path(name).open('r+b')",
        "io.open(path, 'wb')",
        "gzip.open(path, 'wt')",
        "tarfile.open(path, 'w')",
        "os.open(path, os.O_WRONLY | os.O_CREAT)",
        "os.fdopen(file, 'w')",
        "path.write_text(text)",
        "Path(name).write_bytes(content)",
        "np.save(path, values)",
        "numpy.savez(path, a=values)",
        "values.tofile(path)",
        "figure.savefig(path)",
        "table.to_csv(path)",
        "parquet.write_table(table, path)",
        "json.dump(content, file)",
        "mesh.export(path)",
        "zipfile.ZipFile(path, 'w')",
        "os.replace(a, b)",
        "shutil.copy(a, b)",
        "tempfile.mkstemp()",
    ],
)
def test_what_writes_is_found(code: str) -> None:
    assert len(list(direct_writes(code))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "open(path)",
        "open(path, 'rb')",
        "path.open()",
        "path.open('rb')",
        "DcdWriter.open(path, frames)",
        "os.open(folder, os.O_RDONLY)",
        "text.replace('w', 'a')",
        "tarfile.open(path)",
        "json.dumps(content)",
        "_writing.write_text(path, text)",
    ],
)
def test_what_reads_is_not(code: str) -> None:
    assert list(direct_writes(code)) == []
