"""Label files and pictures, of whichever data set: every failure names file and line."""
