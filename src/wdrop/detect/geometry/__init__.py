"""Boxes, anchors, and what lies between the two."""
