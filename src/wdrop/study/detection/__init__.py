"""Detectors as runs of a study: trained, judged in all ways, recorded."""
