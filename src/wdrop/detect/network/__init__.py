"""SqueezeDet itself: layers, sizes, pretrained weights."""
