"""Networks: K small ones trained as one, and the dropout of any `nn.Module`."""
