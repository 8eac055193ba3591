"""What the command line does on a user's own files: fit, predict, evaluate and compare, from file to file."""
