"""What earlier runs are remembered for. It orders what is tried, and never has a say in a verdict."""
