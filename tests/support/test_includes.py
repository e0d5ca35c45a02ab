"""The check of the C++ files: it accepts the repository, and reports each thing that it forbids."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[2] / "tools" / "check_includes.py"
HEADERS = "core/include/elbowroom"
#: Files without includes, so that every folder has one, and the headers that others name.
PLAIN = (f"{HEADERS}/portable.hpp", "core/src/rigid_queries.hpp", "core/src/chain_queries.hpp",
         "core/src/reference_binary_chain_of.hpp", "bindings/arrays.hpp", "bindings/exports.hpp")  # fmt: skip


def check(*arguments: object) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(CHECK), *map(str, arguments)], capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A made-up checkout that keeps all rules."""
    for name in PLAIN:
        with_file(tmp_path, name)
    return tmp_path


def with_file(root: Path, name: str, *includes: str) -> Path:
    """A file that includes these, on its second line and below."""
    return with_code(root, name, *(f"#include {what}" for what in includes))


def with_code(root: Path, name: str, *lines: str) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(["#pragma once", *lines]) + "\n")
    return file


def test_the_repository_keeps_the_rules() -> None:
    assert check() == (0, "")


WRONG = [
    (f"{HEADERS}/math/vec3.hpp", '"elbowroom/volumes/obb.hpp"'),
    (f"{HEADERS}/math/vec3.hpp", "<cmath>"),
    (f"{HEADERS}/volumes/obb.hpp", '"elbowroom/narrow/gjk.hpp"'),
    (f"{HEADERS}/volumes/obb.hpp", "<vector>"),
    (f"{HEADERS}/narrow/gjk.hpp", '"elbowroom/traversal/pair.hpp"'),
    (f"{HEADERS}/narrow/gjk.hpp", "<algorithm>"),
    (f"{HEADERS}/traversal/pair.hpp", '"elbowroom/math/vec3.hpp"'),
    (f"{HEADERS}/traversal/pair.hpp", '"elbowroom/portable.hpp"'),
    (f"{HEADERS}/trees/build.hpp", '"elbowroom/traversal/pair.hpp"'),
    (f"{HEADERS}/trees/build.hpp", '"elbowroom/narrow/gjk.hpp"'),
    (f"{HEADERS}/pairings/across_two.hpp", '"elbowroom/queries/overlap.hpp"'),
    (f"{HEADERS}/pairings/across_two.hpp", '"elbowroom/narrow/gjk.hpp"'),
    (f"{HEADERS}/queries/overlap.hpp", '"elbowroom/trees/flat_tree.hpp"'),
    (f"{HEADERS}/queries/overlap.hpp", "<elbowroom/bodies/rigid_body.hpp>"),
    (f"{HEADERS}/bodies/chain.hpp", '"elbowroom/bodies/rigid_body.hpp"'),
    (f"{HEADERS}/bodies/rigid_body.hpp", '"elbowroom/motion/rigid_motion.hpp"'),
    (f"{HEADERS}/bodies/rigid_body.hpp", '"rigid_queries.hpp"'),
    (f"{HEADERS}/trees/build.hpp", '"flat_tree.hpp"'),
    (f"{HEADERS}/trees/build.hpp", "<Python.h>"),
    (f"{HEADERS}/trees/build.hpp", "<nanobind/nanobind.h>"),
    (f"{HEADERS}/portable.hpp", '"elbowroom/math/vec3.hpp"'),
    ("core/src/rigid_body.cpp", '"chain_queries.hpp"'),
    ("core/src/rigid_body.cpp", '"elbowroom/bodies/chain.hpp"'),
    ("core/src/chain_self.cpp", '"elbowroom/motion/motion_check.hpp"'),
    ("core/src/chain_self.cpp", '"reference_binary_chain_of.hpp"'),
    ("core/src/chain_self.cpp", "<reference_binary_chain_of.hpp>"),
    ("core/src/chain_self.cpp", '"rigid_body.cpp"'),
    ("core/src/chain_self.cpp", '"no_such.hpp"'),
    ("core/src/chain_tree.cpp", '"elbowroom/bodies/chain.hpp"'),
    ("core/src/reference_link_tree.cpp", '"elbowroom/bodies/articulated.hpp"'),
    (f"{HEADERS}/reference/link_tree.hpp", '"elbowroom/bodies/articulated.hpp"'),
    ("core/src/motion_run.hpp", '"elbowroom/sampling/sampler.hpp"'),
    ("core/src/sampler.cpp", '"elbowroom/motion/motion_check.hpp"'),
    ("core/src/sampler.cpp", '"arrays.hpp"'),
    ("core/src/sampler.cpp", '"../../bindings/arrays.hpp"'),
    ("core/src/sampler.cpp", "<Python.h>"),
    ("core/src/sampler.cpp", "<nanobind/nanobind.h>"),
    ("bindings/export_body.cpp", '"export_chain.cpp"'),
    ("bindings/export_body.cpp", '"export_chain.hpp"'),
    ("bindings/module.cpp", '"export_body.cpp"'),
    ("bindings/scene.hpp", '"no_such.hpp"'),
    ("bindings/scene.hpp", '"rigid_body.cpp"'),
]


@pytest.mark.parametrize(("name", "include"), WRONG)
def test_wrong_include_is_named_by_file_and_line(name: str, include: str, root: Path) -> None:
    file = with_file(root, name, include)
    status, said = check(root)
    assert status == 1
    assert said.startswith(f"{file}:2: ")
    assert said.count("\n") == 1


RIGHT = [
    (f"{HEADERS}/math/vec3.hpp", '"elbowroom/portable.hpp"'),
    (f"{HEADERS}/portable.hpp", "<cmath>"),
    (f"{HEADERS}/narrow/gjk.hpp", '"elbowroom/volumes/obb.hpp"'),
    (f"{HEADERS}/traversal/order.hpp", "<vector>"),
    (f"{HEADERS}/pairings/across_two.hpp", '"elbowroom/trees/flat_tree.hpp"'),
    (f"{HEADERS}/queries/distance.hpp", '"elbowroom/narrow/gjk.hpp"'),
    (f"{HEADERS}/bodies/rigid_leaves.hpp", '"elbowroom/bodies/rigid_body.hpp"'),
    (f"{HEADERS}/motion/rigid_motion.hpp", '"elbowroom/bodies/rigid_body.hpp"'),
    ("core/src/chain_rigid.cpp", '"rigid_queries.hpp"'),
    ("core/src/chain_self.cpp", '"elbowroom/bodies/rigid_body.hpp"'),
    ("core/src/chain_state.cpp", '"chain_queries.hpp"'),
    ("core/src/chain_tree_validate.cpp", '"elbowroom/trees/chain_tree.hpp"'),
    ("core/src/reference_necklace_cages.cpp", '"elbowroom/bodies/necklace_touch.hpp"'),
    (f"{HEADERS}/motion/rigid_motion.hpp", '"elbowroom/reference/hourglass.hpp"'),
    ("core/src/motion_check.cpp", "<vector>"),
    ("bindings/module.cpp", '"exports.hpp"'),
    ("bindings/scene.hpp", '"chain_queries.hpp"'),
    ("bindings/scene.cpp", "<Python.h>"),
    ("bindings/export_body.cpp", "<nanobind/nanobind.h>"),
    ("bindings/export_chain.cpp", '"elbowroom/bodies/chain.hpp"'),
]


def test_right_includes_are_passed_over(root: Path) -> None:
    for name, include in RIGHT:
        with_file(root, name, include)
    assert check(root) == (0, "")


def test_every_violation_is_listed(root: Path) -> None:
    includes = ('"elbowroom/portable.hpp"', "<cmath>", '"elbowroom/trees/build.hpp"')
    with_file(root, f"{HEADERS}/math/vec3.hpp", *includes)
    with_file(root, f"{HEADERS}/gadgets/new.hpp")
    with_file(root, "core/src/gadget.cpp")
    status, said = check(root)
    assert status == 1
    assert [line.split(":")[1] for line in said.splitlines()] == ["1", "3", "4", "1"]


@pytest.mark.parametrize("missing", [HEADERS, "core/src", "bindings"])
def test_empty_folder_is_an_error_and_not_a_pass(missing: str, root: Path) -> None:
    for file in (root / missing).iterdir():
        file.unlink()
    assert check(root)[0] == 2


# Each line defines a::X, whatever else it does.
DEFINING = [
    "namespace a { struct X {}; }",
    "namespace a { struct X; class X final : public Y<int> { int x; }; }",
    "namespace a { template <class T, int N = (1 < 2)> struct alignas(8) X { T x[N]; }; }",
    "namespace a { enum class X : int { one }; }",
    "namespace a { union X { int i; float f; }; }",
    "namespace a { using X = int; }",
    "namespace a { template <class T> using X = T*; }",
    "namespace a { typedef struct { int i; } X; }",
    "namespace a { typedef float X __attribute__((vector_size(16))); }",
    "namespace a { template <class T> concept X = sizeof(T) > 1; }",
    "namespace a { int f() { return 1'000; } /* } */ struct X {}; }",
    'namespace a { const char* s = "}"; char c = \'}\'; const char* r = R"(})"; struct X {}; }',
    "struct a::X {};",
]


@pytest.mark.parametrize("line", DEFINING)
def test_type_of_one_name_in_two_files_is_refused(line: str, root: Path) -> None:
    with_code(root, "core/src/chain_one.cpp", "namespace a {", "class X {};", "}")
    file = with_code(root, "core/src/chain_two.cpp", line)
    status, said = check(root)
    assert status == 1
    assert said == f"{file}:2: a::X is defined in core/src/chain_one.cpp as well\n"


def test_types_are_compared_over_all_folders(root: Path) -> None:
    for name in (f"{HEADERS}/trees/x.hpp", "core/src/chain_x.hpp", "bindings/x.cpp"):
        with_code(root, name, "namespace a::b {", "struct X {};", "}")
    status, said = check(root)
    assert status == 1
    assert [line.rpartition(": ")[0] for line in said.splitlines()] == [
        f"{root}/core/src/chain_x.hpp:3",
        f"{root}/bindings/x.cpp:3",
    ]


# None of these lines defines a::X for other files.
NOT_DEFINING = [
    "namespace a { struct X; enum class E : int; struct F { friend class X; }; using b::X; }",
    "namespace b { struct X {}; }",
    "namespace a::detail { struct X {}; }",
    "namespace a { struct Outer { struct X {}; using Y = X; enum { x }; }; }",
    "namespace a { namespace { struct X {}; } }",
    "namespace a { void f() { struct X {}; using Y = X; } }",
    "namespace a { struct X f(struct X x) { return x; } }",
    "namespace a { template <> struct X<int> { struct Y {}; }; }",
    "namespace a { template <class X> struct T {}; template <template <class> class X> struct U {}; }",
    "// namespace a { struct X {}; }",
    "#define BEGIN namespace a { struct X {",
]


def test_other_scopes_and_declarations_are_passed_over(root: Path) -> None:
    with_code(root, "core/src/chain_one.cpp", "namespace a {", "class X {};", "}")
    for i, line in enumerate(NOT_DEFINING):
        with_code(root, f"core/src/chain_two{i}.cpp", line)
    assert check(root) == (0, "")


def test_namespace_without_a_name_is_no_excuse_in_a_header(root: Path) -> None:
    with_code(root, "core/src/chain_one.cpp", "namespace a { class X {}; }")
    with_code(root, "core/src/chain_two.hpp", "namespace a { namespace { class X {}; } }")
    status, said = check(root)
    assert status == 1 and "a::X" in said


@pytest.mark.parametrize("line", ["namespace a {", "}"])
def test_braces_that_do_not_match_are_reported(line: str, root: Path) -> None:
    file = with_code(root, "core/src/chain_one.cpp", line)
    status, said = check(root)
    assert status == 1 and said.startswith(f"{file}:2: ")
