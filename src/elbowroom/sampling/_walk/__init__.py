"""The loop of a run: what was asked, walkers, tempering, rows, progress."""
