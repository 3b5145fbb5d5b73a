import math
import operator

from .lexer import ExprError
from .parser import Parser

OPS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "^": operator.pow,
}

FUNCS = {
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
}


def evaluate(tree, env):
    kind = tree[0]
    if kind == "num":
        return tree[1]
    if kind == "var":
        if tree[1] not in env:
            raise ExprError(f"unknown name {tree[1]!r}")
        return env[tree[1]]
    if kind == "neg":
        return -evaluate(tree[1], env)
    if kind == "call":
        func = FUNCS.get(tree[1])
        if func is None:
            raise ExprError(f"unknown function {tree[1]!r}")
        return func(*[evaluate(a, env) for a in tree[2]])
    _, op, left, right = tree
    try:
        return OPS[op](evaluate(left, env), evaluate(right, env))
    except ZeroDivisionError:
        raise ExprError("division by zero") from None


def calc(text, **env):
    """Work out ``text``.

    >>> calc("1 + 2 * x", x=3)
    7.0
    """
    return evaluate(Parser(text).parse(), env)
