"""What all rooms of the probe stand on: paths, clocks, the report, a bound on what hangs."""
