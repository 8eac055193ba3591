"""Detectors and boxes as files."""
