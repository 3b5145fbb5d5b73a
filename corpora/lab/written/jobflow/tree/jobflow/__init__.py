from .graph import CycleError, JobGraph, UnknownJob
from .runner import Runner, Status

__all__ = ["CycleError", "JobGraph", "UnknownJob", "Runner", "Status"]
