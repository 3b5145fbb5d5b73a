"""Static description of a workflow: states and the transitions between them."""
from dataclasses import dataclass, field
from typing import Callable, Optional

ANY = "*"

# A guard receives the machine's context and returns True or a reason (str) for saying no.
Guard = Callable[[dict], object]


@dataclass(frozen=True)
class Transition:
    event: str
    source: str
    target: str
    guards: tuple = ()


@dataclass
class WorkflowDefinition:
    name: str
    initial: str
    final: frozenset = frozenset()
    transitions: list = field(default_factory=list)

    def add(self, event: str, source: str, target: str, *guards: Guard) -> "WorkflowDefinition":
        """Add a transition. ``source`` may be ``"*"``: possible in every state that is not final."""
        self.transitions.append(Transition(event, source, target, guards))
        return self

    def find(self, state: str, event: str) -> Optional[Transition]:
        """The transition for *event* in *state*; an exact source wins over ``"*"``."""
        wildcard = None
        for transition in self.transitions:
            if transition.event != event:
                continue
            if transition.source == state:
                return transition
            if transition.source == ANY and state not in self.final:
                wildcard = transition
        return wildcard

    def events_from(self, state: str) -> list:
        names = {t.event for t in self.transitions}
        return sorted(name for name in names if self.find(state, name) is not None)
