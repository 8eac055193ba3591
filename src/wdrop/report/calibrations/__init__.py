"""Tables and figures of the calibration study, each a function of its records.

Records have a row per run, fold and way: "raw", the name of a calibration, or either behind "ensemble ", where the
inner networks of cross-fitting predict. What was not run is left out, never made up.
"""
