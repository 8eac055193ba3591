"""Tables and figures of detectors, out of records and pictures.

Ways to find boxes (protocols) never share a table, and matched boxes and recall stand beside every score: each detector
is scored on the boxes that it found.
"""
