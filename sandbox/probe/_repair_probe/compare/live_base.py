"""What a program under comparison runs over: a live function, and what that closes over and takes for granted."""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FunctionType

    from _repair_probe.ground.words import Function, Value
    from _repair_probe.swap.live_functions import LiveFunction


def base_of(target: LiveFunction) -> FunctionType:
    """A live function whose surroundings a program runs in."""
    own = target.own_functions() or [f for functions in target.live.values() for f in functions]
    return own[0]


def cells_of(target: LiveFunction) -> dict[str, Value]:
    """The free variables of a live function, as far as they are bound; none where there is no such function."""
    for function in target.own_functions():
        cells = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                cells[name] = cell.cell_contents
            except ValueError:
                continue
        return cells
    return {}


def defaults_of(function: FunctionType, node: Function) -> dict[str, Value]:
    """Defaults by the names of their parameters."""
    positional = [a.arg for a in [*getattr(node.args, "posonlyargs", []), *node.args.args]]
    values = function.__defaults__ or ()
    return dict(zip(positional[len(positional) - len(values) :], values), **(function.__kwdefaults__ or {}))
