"""Pages about one model on one table, one file a picture or table; all are functions of plain arrays."""
