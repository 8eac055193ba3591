"""From a picture to boxes with error bars."""
