"""What the command line does on a user's own files: fit, predict, evaluate and compare, from file to file."""

DEFAULT_METHOD = "w_dropout_closed"
"""Of a model that is fitted from a file: its predictions need no torch. It stands here as help pages load nothing."""
