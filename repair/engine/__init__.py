"""The engine: diagnosis, choosing, rivals, judging a candidate or a change from anywhere."""
