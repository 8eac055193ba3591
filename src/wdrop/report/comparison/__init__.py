"""Methods side by side on one table: who is better, by how much, and whether that is more than chance."""
