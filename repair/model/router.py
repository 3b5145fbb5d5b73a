"""Which of a user's models is asked: the first one first, the stronger one where the first has not mended it.

The rule is configuration: from which thread of a conversation on the stronger model is asked, and for which classes of
failures at once. All models have one meter, so that the limits of a run hold for them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.facts import FailureClass
from repair.model.backend import Backend, BackendFault, ModelRequest
from repair.model.reply import ModelReply
from repair.records.config import Options


@dataclass(frozen=True, slots=True)
class Route:
    """The model for a request, by name. An empty ``strong`` says that there is only the ``first``."""

    first: str = ""
    strong: str = ""
    strong_from: int = 2
    strong_classes: frozenset[str] = frozenset()

    def model_for(self, failure: FailureClass, thread: int) -> str:
        """The model of a thread, counted from 1, about a failure of this class."""
        asks_strong = thread >= self.strong_from or failure.value in self.strong_classes
        return self.strong if self.strong and asks_strong else self.first


def route_of(options: Options) -> Route:
    """The rule that these options set."""
    return Route(options.model, options.strong_model, options.strong_from, frozenset(options.strong_classes))


@dataclass(frozen=True, slots=True)
class RoutedBackend:
    """Several backends by the names of their models; a request says which one it is for."""

    backends: Mapping[str, Backend]

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        """One try, by the backend of the request's model."""
        return self.backends[request.model].complete(request, seconds=seconds, most_tokens=most_tokens)
