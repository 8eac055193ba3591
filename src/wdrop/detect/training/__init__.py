"""From a set of pictures to a trained detector."""
