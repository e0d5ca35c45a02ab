"""The folder of a run: frames, rows, checkpoints."""
