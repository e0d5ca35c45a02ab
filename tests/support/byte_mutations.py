"""Files that went wrong: bytes changed at random, as a damaged, a cut or a hand-written file has them.

`mutated` makes one to some changes to a content. Changes know what files are made of: numbers, words, lines,
whole numbers in four bytes; they put in what readers stumble over, such as "nan", "1e999" and -1.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence

import numpy as np

Rng = np.random.Generator
Mutation = Callable[[bytes, Rng], bytes]

#: No input is longer; but gzip may hold more.
LONGEST = 200_000

NUMBERS = (
    b"nan", b"inf", b"-inf", b"1e999", b"-1e308", b"1e308", b"1e-320", b"0", b"-0", b"-1", b"1", b"2", b"255",
    b"65535", b"65536", b"2147483647", b"2147483648", b"4294967295", b"-2147483648", b"9223372036854775807",
    b"9223372036854775808", b"1000000000", b"123456789012345678901234567890", b"0x10", b"1_000", b"1,5",
    b"1.5.2", b"--1", b"+", b"-", b".", b"e", b"1e", b"1e15", b"-1e16", b"1e-40", b"\xd9\xa3", b"0.1f",
)  # fmt: skip
WORDS = (
    b"", b" ", b"\0", b"\t", b"\n", b"\r", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\x28", b"\xed\xa0\x80",
    b"\x85",
    b"\xe2\x80\xa8", b"\x0c", b"\x1c", b"{", b"}", b"[", b"]", b"<", b">", b"&", b"&a;", b'"', b"'", b"#",
    b":", b"*a",
    b"&a", b"%s", b"{0}", b"\\", b"/", b"../", b"None", b"true", b"null", b"-", b"!!python/object", b"<<",
    b"]]>",
    b"<!--", b"<![CDATA[", b"A" * 300,
)  # fmt: skip
INTEGERS = (0, 1, -1, 2, 3, 4, 84, 127, 255, 2**15, 2**16, 2**24, 2**31 - 1, -(2**31), 2**30, 10**9, 999)

NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
WORD = re.compile(rb"[^\s<>{}\[\]=\"',:/#;]+")


def some(rng: Rng, of: Sequence[bytes]) -> bytes:
    return of[int(rng.integers(len(of)))]


def span(content: bytes, rng: Rng, longest: int = 200) -> tuple[int, int]:
    """Where a piece begins and ends; short ones are likelier."""
    first = int(rng.integers(len(content) + 1))
    length = int(longest ** rng.random())
    return first, min(len(content), first + length)


def flipped(content: bytes, rng: Rng) -> bytes:
    out = bytearray(content)
    for place in rng.integers(0, len(out), int(rng.integers(1, 9))):
        out[place] ^= 1 << int(rng.integers(8))
    return bytes(out)


def other_bytes(content: bytes, rng: Rng) -> bytes:
    first, last = span(content, rng, 16)
    return content[:first] + rng.bytes(last - first) + content[last:]


def inserted(content: bytes, rng: Rng) -> bytes:
    first, _ = span(content, rng)
    return content[:first] + some(rng, WORDS) + content[first:]


def removed(content: bytes, rng: Rng) -> bytes:
    first, last = span(content, rng, 2000)
    return content[:first] + content[last:]


def cut(content: bytes, rng: Rng) -> bytes:
    return content[: int(rng.integers(len(content) + 1))]


def without_beginning(content: bytes, rng: Rng) -> bytes:
    return content[int(rng.integers(min(len(content), 400) + 1)) :]


def repeated(content: bytes, rng: Rng) -> bytes:
    """A piece many times over: deep nesting, long words, long lists."""
    first, last = span(content, rng, 400)
    times = int(min(LONGEST, 20_000) ** rng.random())
    piece = content[first:last]
    return content[:last] + piece * min(times, LONGEST // max(1, len(piece))) + content[last:]


def moved(content: bytes, rng: Rng) -> bytes:
    """A piece written elsewhere, over what was there or before it."""
    (first, last), (place, _) = span(content, rng), span(content, rng)
    over = place + (last - first) * int(rng.integers(2))
    return content[:place] + content[first:last] + content[over:]


def found(content: bytes, rng: Rng, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
    """One of the first behind a random place, so that long files are not searched through."""
    return pattern.search(content, int(rng.integers(len(content) + 1))) or pattern.search(content)


def other_number(content: bytes, rng: Rng) -> bytes:
    number = found(content, rng, NUMBER)
    if number is None:
        return inserted(content, rng)
    return content[: number.start()] + some(rng, NUMBERS) + content[number.end() :]


def other_number_in_place(content: bytes, rng: Rng) -> bytes:
    """As wide as the old one, so that columns stay where they are."""
    number = found(content, rng, NUMBER)
    if number is None:
        return flipped(content, rng)
    width = number.end() - number.start()
    return content[: number.start()] + some(rng, NUMBERS)[:width].rjust(width) + content[number.end() :]


def other_word(content: bytes, rng: Rng) -> bytes:
    """A word in the place of another one of the file, or something odd."""
    word, source = found(content, rng, WORD), found(content, rng, WORD)
    if word is None or source is None:
        return inserted(content, rng)
    new = source[0] if rng.random() < 0.7 else some(rng, WORDS)
    return content[: word.start()] + new + content[word.end() :]


def other_integer(content: bytes, rng: Rng) -> bytes:
    """Four bytes as a whole number, either way round; often among the first, where headers are."""
    reach = len(content) if rng.random() < 0.5 else min(len(content), 400)
    place = int(rng.integers(reach + 1))
    place -= place % 4 if rng.random() < 0.8 else 0
    value = INTEGERS[int(rng.integers(len(INTEGERS)))]
    order = "little" if rng.random() < 0.7 else "big"
    return content[:place] + value.to_bytes(4, order, signed=True) + content[place + 4 :]


def other_float(content: bytes, rng: Rng) -> bytes:
    place = int(rng.integers(len(content) + 1)) & ~3
    value = (np.nan, np.inf, -np.inf, 0.0, 1e38, -1e20, 1e-45)[int(rng.integers(7))]
    kind = "<f4" if rng.random() < 0.7 else "<f8"
    new = np.array(value).astype(kind).tobytes()
    return content[:place] + new + content[place + len(new) :]


def other_lines(content: bytes, rng: Rng) -> bytes:
    """Lines taken out, doubled, or exchanged."""
    lines = content.splitlines(keepends=True)
    if len(lines) < 2:
        return moved(content, rng)
    i, j = (int(k) for k in rng.integers(0, len(lines), 2))
    kind = int(rng.integers(4))
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(j, lines[i])
    elif kind == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        del lines[min(i, j) : max(i, j)]
    return b"".join(lines)


def other_line_ends(content: bytes, rng: Rng) -> bytes:
    ends = (b"\r\n", b"\r", b"\n\n", b" ", b"\xe2\x80\xa8", b"\x0b")
    return content.replace(b"\n", some(rng, ends))


def packed(content: bytes, rng: Rng) -> bytes:
    """By gzip; now and then damaged."""
    out = gzip.compress(content, 1)
    return flipped(out, rng) if rng.random() < 0.3 else cut(out, rng) if rng.random() < 0.2 else out


def noise(content: bytes, rng: Rng) -> bytes:
    """Nothing of the file, or its beginning alone."""
    kept = int(rng.integers(0, 100)) if rng.random() < 0.5 else 0
    return content[:kept] + rng.bytes(int(3000 ** rng.random()))


#: Each with how often it is made.
MUTATIONS: tuple[tuple[Mutation, float], ...] = (
    (flipped, 2), (other_bytes, 2), (inserted, 3), (removed, 2), (cut, 1), (without_beginning, 0.5),
    (repeated, 2), (moved, 1), (other_number, 6), (other_number_in_place, 4), (other_word, 4),
    (other_integer, 2), (other_float, 1), (other_lines, 3), (other_line_ends, 0.3), (packed, 0.3),
    (noise, 0.2),
)  # fmt: skip
CHANGES = tuple(mutation for mutation, _ in MUTATIONS)
SHARES = np.array([share for _, share in MUTATIONS]) / sum(share for _, share in MUTATIONS)


def mutated(content: bytes, rng: Rng, others: Sequence[bytes] = ()) -> bytes:
    """One to some changes; at times the second half is that of another file."""
    if others and rng.random() < 0.05:
        other = others[int(rng.integers(len(others)))]
        content = content[: span(content, rng)[0]] + other[span(other, rng)[0] :]
    for _ in range(int(rng.geometric(0.6)) if rng.random() < 0.95 else 20):
        content = CHANGES[rng.choice(len(CHANGES), p=SHARES)](content or b"\n", rng)[:LONGEST]
    return content
