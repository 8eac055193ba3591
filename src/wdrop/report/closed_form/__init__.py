"""Tables and figures of the study of one-pass moments: how far the std told is from the draws, and what that costs."""
