"""Tables, ranks and claims of the tabular benchmark, each a function of its records.

Records are one table: a row per run, fold and part (train or test). What was not run is left out, never made up.
"""
