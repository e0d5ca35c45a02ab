"""Many runs: tasks, workers, the ledger, what they found."""
