"""Odd arguments for every public constructor and question: none may crash, hang, print or say nothing.

    python tests/support/fuzz_constructors.py --seconds 600 [--seed 0] [--only Chain,Mesh]
    python tests/support/fuzz_constructors.py --again Chain 4611686018427387904

One or two arguments of a sound call are replaced by what nobody should pass. What is taken all the same is
shown, copied, pickled and asked. Calls are made in a child process with limits, of all constructors in turn.
Exit status 1 if anything went wrong; a failure tells the number of its case, which --again makes here.
"""

from __future__ import annotations

import sys
from functools import partial

from constructor_subjects import MAKERS, Constructors, constructors
from fuzz_runs import arguments, quiet_threads, run


def main(argv: list[str] | None = None) -> int:
    quiet_threads()
    args = arguments(__doc__, list(MAKERS), argv)
    names = tuple(args.only.split(","))
    if args.again:
        name, number = args.again
        Constructors(name, names if len(names) < len(MAKERS) else tuple(MAKERS)).numbered(int(number)).run()
        return 0
    return run({"constructors": partial(constructors, "constructors", names)}, args)


if __name__ == "__main__":
    sys.exit(main())
