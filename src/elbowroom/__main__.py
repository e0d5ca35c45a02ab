"""`python -m elbowroom` is the command `elbowroom`."""

import sys

from elbowroom.cli import main

sys.exit(main())
