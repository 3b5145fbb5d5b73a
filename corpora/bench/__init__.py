"""Any repair method over many bugs: run, recorded, scored, reported."""
