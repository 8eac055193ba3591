"""How a street scene is drawn."""
