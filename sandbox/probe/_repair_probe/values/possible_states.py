"""Whether an object can be in a state: its class may refuse to make one with these values.

A version whose number is negative is none, where ``Version(-1)`` raises. What a method does with one says nothing.
"""

from __future__ import annotations

import copy
import inspect
import types

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import attributes

if TYPE_CHECKING:
    from _repair_probe.ground.words import Value

_GATHERING = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def is_refused(owner: Value, name: str, value: Value) -> bool:
    """Whether the object's class makes an object with its values, and raises where this attribute has another one.

    That is not known where the parameters of ``__init__`` are not called as the attributes are, but for underscores.
    """
    kind = type(owner)
    state = dict(attributes(owner, kind))
    names = _names_of_parameters(kind, frozenset(state))
    if name not in names.values():
        return False
    return _makes(kind, names, state) and not _makes(kind, names, dict(state, **{name: value}))


def _names_of_parameters(kind: type, known: frozenset[str]) -> dict[str, str]:
    """For each parameter of the class' own ``__init__`` the attribute that has its value; empty where one has none."""
    maker = inspect.getattr_static(kind, "__init__")
    if not isinstance(maker, types.FunctionType):
        return {}
    found: dict[str, str] = {}
    try:
        parameters = list(inspect.signature(maker).parameters.values())[1:]
    except (TypeError, ValueError):  # a wrapper of itself, say
        return {}
    for parameter in parameters:
        own = parameter.name
        spelled = (own, "_" + own, "_%s__%s" % (kind.__name__.lstrip("_"), own))
        attribute = next((each for each in spelled if each in known), None)
        if attribute is not None and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
            found[own] = attribute
        elif parameter.kind not in _GATHERING and parameter.default is inspect.Parameter.empty:
            return {}
    return found


def _makes(kind: type, names: dict[str, str], state: dict[str, Value]) -> bool:
    """Whether the class makes an object of copies of these values."""
    try:
        kind(**{own: copy.deepcopy(state[attribute]) for own, attribute in names.items()})
    except (Exception, SystemExit):  # whatever the target raises is a refusal
        return False
    return True
