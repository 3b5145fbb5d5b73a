from .ranking import competition_ranks
from .tournament import Tournament

__all__ = ["Tournament", "competition_ranks"]
