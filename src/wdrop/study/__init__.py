"""Studies: a plan of runs, each from a config to a record, never lost and never repeated."""
