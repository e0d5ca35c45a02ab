"""Lists the types that C++ files define, with their scopes; check_includes.py compares the files by it.

A tokenizer and a stack of scopes: no compiler is needed. Macros are not expanded, and all branches of ``#if``
are read, so braces have to balance in each of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

#: Text that is not code becomes spaces. Newlines stay, since lines are counted.
NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'(?!\w)"""
    r"""|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*""",
    re.DOTALL | re.MULTILINE,
)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|\[\[|\]\]|[^\s\w]|\d[\w.']*")
CLOSING = {"(": ")", "[[": "]]", "{": "}", "<": ">"}
CLASSES = {"class", "struct", "union", "enum"}
#: Marks the scope of what is no type or namespace: functions and initialisers. Local types are not listed.
OTHER = "{}"


class Definition(NamedTuple):
    name: str
    """With its scope: elbowroom::Chain::Step."""
    line: int
    unnamed: bool
    """Whether a namespace without a name is around it."""


class _Tokens:
    def __init__(self, text: str) -> None:
        code = NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        found = list(TOKEN.finditer(code))
        self._words = [one[0] for one in found]
        self._starts = [one.start() for one in found]
        self._code = code

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, at: int) -> str:
        return self._words[at] if 0 <= at < len(self._words) else ""

    def line(self, at: int) -> int:
        return self._code.count("\n", 0, self._starts[at]) + 1

    def past(self, at: int) -> int:
        """Where the bracket that opens at `at` has been closed."""
        closing = CLOSING[self[at]]
        at += 1
        while self[at] not in (closing, ""):
            nested = self[at] in CLOSING and (self[at] != "<" or closing == ">")
            at = self.past(at) if nested else at + 1
        return at + 1

    def name(self, at: int) -> tuple[list[str], int]:
        """The parts of a name such as A::B at `at`, after attributes and alignas(...), and where it ends."""
        while self[at] in ("[[", "alignas", "inline"):
            at = self.past(at) if self[at] == "[[" else at + 1 if self[at] == "inline" else self.past(at + 1)
        parts: list[str] = []
        while re.match(r"[A-Za-z_]", self[at]):
            parts.append(self[at])
            at += 1
            if self[at] != "::":
                break
            at += 1 + (self[at + 1] == "inline")
        return parts, at


class Unbalanced(ValueError):
    """Braces do not match, so that scopes are not known: the line, and which brace."""


def definitions(text: str) -> list[Definition]:
    """All types, aliases and concepts that a file defines outside functions, but not specialisations."""
    tokens, scopes, opening = _Tokens(text), list[tuple[list[str], int]](), dict[int, list[str]]()
    out: list[Definition] = []
    at = 0
    while at < len(tokens):
        word = tokens[at]
        if word == "{":
            scopes.append((opening.pop(at, [OTHER]), tokens.line(at)))
        elif word == "}":
            if not scopes:
                raise Unbalanced(f"{tokens.line(at)}: this brace closes nothing")
            scopes.pop()
        elif word == "template" and tokens[at + 1] == "<":
            at = tokens.past(at + 1)
            continue
        else:
            defined, brace = _head(tokens, at)
            if brace:
                opening[brace] = defined
            path = [part for one, _ in scopes for part in one] + defined
            if defined and word != "namespace" and OTHER not in path:
                out.append(Definition("::".join(filter(None, path)), tokens.line(at), "" in path))
        at += 1
    if scopes:
        raise Unbalanced(f"{scopes[-1][1]}: this brace is not closed")
    return out


def _head(tokens: _Tokens, at: int) -> tuple[list[str], int]:
    """What is defined by the words from `at` on, if anything, and where its braces open, or 0.

    A namespace without a name is "". A class without one is OTHER, and so is a specialisation.
    """
    word = tokens[at]
    if word == "namespace":
        parts, end = tokens.name(at + 1)
        return parts or [""], end if tokens[end] == "{" else 0
    if word == "extern" and tokens[at + 1] == "{":
        return [], at + 1
    if word in ("using", "concept"):
        parts, end = tokens.name(at + 1)
        return (parts if tokens[end] == "=" else []), 0
    if word == "typedef":
        return _typedef(tokens, at), 0
    if word in CLASSES and tokens[at - 1] not in ("enum", "friend"):
        return _class_head(tokens, at)
    return [], 0


def _typedef(tokens: _Tokens, at: int) -> list[str]:
    """The last name, as in typedef A B; or before __attribute__."""
    while tokens[at] not in (";", "__attribute__", ""):
        at = tokens.past(at) if tokens[at] == "{" else at + 1
    return [tokens[at - 1]] if re.match(r"[A-Za-z_]", tokens[at - 1]) else []


def _class_head(tokens: _Tokens, at: int) -> tuple[list[str], int]:
    at += 1 + (tokens[at] == "enum" and tokens[at + 1] in ("class", "struct"))
    parts, end = tokens.name(at)
    specialised = tokens[end] == "<"
    if specialised:
        end = tokens.past(end)
    end += tokens[end] == "final"
    if tokens[end] == ":":
        while tokens[end] not in ("{", ";", ""):
            end += 1
    if tokens[end] != "{":
        return [], 0
    return (parts if parts and not specialised else [OTHER]), end
