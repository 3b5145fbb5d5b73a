"""Exceptions: the type raised, the type caught, missing raises, handlers around a failing statement."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from analysis.facts import ConstraintKind
from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import without_parentheses
from transforms.tree.fragments import parse_expression

_K = ConstraintKind
_COMMON = ("ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "RuntimeError", "Exception")
_RAISED_BY = (
    (_K.MISSING_KEY, ("KeyError", "LookupError", "ValueError")),
    (_K.SHORT_SEQUENCE, ("IndexError", "ValueError", "LookupError")),
    (_K.EMPTY_SEQUENCE, ("ValueError", "IndexError", "StopIteration")),
    (_K.ZERO_DIVISOR, ("ZeroDivisionError", "ArithmeticError")),
    (_K.WRONG_TYPE, ("TypeError", "AttributeError")),
    (_K.NULLABLE, ("AttributeError", "TypeError")),
    (_K.OPTIONAL_ATTRIBUTE, ("AttributeError",)),
    (_K.FAILED_CONVERSION, ("ValueError", "TypeError")),
    (_K.MISSING_FILE, ("FileNotFoundError", "OSError")),
    (_K.CLOSED_FILE, ("ValueError",)),
)


def _expected_exceptions(site: Site) -> list[str]:
    """Exceptions that the tests expect, as far as the failure tells."""
    return [
        c.detail
        for c in site.near.constraints_of(_K.MISSING_RAISE, _K.WRONG_RAISE)
        if c.detail.replace(".", "").isidentifier()
    ]


def _known_exceptions(site: Site) -> list[str]:
    return [*_expected_exceptions(site), *site.near.raised, *(e.text for e in site.words.exceptions), *_COMMON]


def _raised_type(site: Site) -> Iterator[Edit]:
    small = site.small_statement
    if not isinstance(small, cst.Raise) or small.exc is None:
        return
    named = small.exc.func if isinstance(small.exc, cst.Call) else small.exc
    own = site.print(named)
    module = own.rpartition(".")[0]
    beside = [f"{module}.{name.rpartition('.')[2]}" for name in _expected_exceptions(site) if module]
    for name, weight in weigh_by_rank(n for n in (*beside, *_known_exceptions(site)) if n != own):
        new = parse_expression(name)
        if new is not None:
            exc = small.exc.with_changes(func=new) if isinstance(small.exc, cst.Call) else new
            line = site.node.with_changes(body=[small.with_changes(exc=exc)])
            yield site.lines((line,), weight, f"raises `{name}` instead of `{own}`")


def _caught_type(site: Site) -> Iterator[Edit]:
    """A handler widened to a tuple, turned to another type, or one class of its tuple turned to another."""
    node = site.node_as(cst.ExceptHandler)
    if node.type is None:
        return
    own = site.print(node.type)
    names = [n for n in _known_exceptions(site) if n not in own]
    held = [site.print(each.value) for each in node.type.elements] if isinstance(node.type, cst.Tuple) else []
    for name, weight in weigh_by_rank(names):
        for place, old in enumerate(held):
            listed = ", ".join((*held[:place], name, *held[place + 1 :]))
            one = parse_expression(f"({listed},)" if len(held) == 1 else f"({listed})")
            if one is not None:
                share = weight * 0.6 / len(held)
                yield site.put(node.with_changes(type=one), share, f"catches `{name}` instead of `{old}`")
        wide, other = parse_expression(f"({without_parentheses(own)}, {name})"), parse_expression(name)
        if wide is not None and other is not None:
            yield site.put(node.with_changes(type=wide), weight * 0.6, f"catches `{name}` too")
            yield site.put(node.with_changes(type=other), weight * 0.4, f"catches `{name}` instead of `{own}`")


def _insert_raise(site: Site) -> Iterator[Edit]:
    """``if <condition>: raise E(…)`` where the test waits for an exception; and ``raise`` in place of an exit."""
    wanted = list(dict.fromkeys(_expected_exceptions(site)))
    if not wanted or not site.near.constraints_of(_K.MISSING_RAISE):
        return
    known = [c.text for c in site.words.conditions if c.distance == 0]
    names = [*site.words.parameters, *(a.text for a in site.words.attributes if a.text.startswith("self."))][:8]
    simple = [f.format(n) for f in ("not {}", "{} is None", "{} < 0", "{} <= 0", "{} == 0") for n in names[:4]]
    kinds, signs = ("str", "int", "(int, float)", "list", "dict", "bytes"), ("not in", ">", "in", "<", "==", ">=")
    typed = [f"not isinstance({n}, {kind})" for n in names[:3] for kind in kinds]
    pairs = [f"{a} {sign} {b}" for a in names[:3] for b in names if a != b for sign in signs]
    more = [f"isinstance({n}, {kind})" for n in names[:2] for kind in ("bool", "str", "int")]
    more += [*(f"len({n}) == 0" for n in names[:2]), *(f"not ({test})" for test in known[:8])]
    error, small = wanted[0], site.small_statement
    if isinstance(small, (cst.Return, cst.Pass, cst.Continue, cst.Break)):
        what = f"raises `{error}` instead of `{clip_text(site.print(small).strip(), 40)}`"
        yield site.lines((f"raise {error}()",), 0.4, what)
    tests = [*simple[:8], *known, *simple[8:], *pairs, *typed, *more]
    for test, weight in weigh_by_rank(tests, 1.0 if site.is_near_top else 0.4):
        subject = next((n for n in names if n in test), "")
        message = f"f'invalid {subject}: {{{subject}!r}}'" if subject.isidentifier() else "'invalid value'"
        text = f"if {test}:\n    raise {error}({message})\n"
        yield site.lines((text, site.node), weight, f"raises `{error}` when `{clip_text(test)}`")


def _reraise(site: Site) -> Iterator[Edit]:
    """A handler's exit exchanged for ``raise``; ``raise`` exchanged for a quiet exit."""
    handler = site.enclosing(cst.ExceptHandler, cst.FunctionDef)
    inside = handler is not None and isinstance(handler.node, cst.ExceptHandler)
    if inside and not isinstance(site.small_statement, cst.Raise):
        yield site.lines(("raise",), 0.3, "raises again what it caught")
        yield site.lines((site.node, "raise"), 0.2, "raises again what it caught, after this")
    if isinstance(site.small_statement, cst.Raise):
        names = (f"return {name}" for name in site.words.variables[:3])
        exits = ("return None", "pass", *names, "return False", "return 0", *(("continue",) if site.in_loop else ()))
        for text, weight in weigh_by_rank(exits):
            yield site.lines((text,), weight * 0.6, f"does `{text}` instead of raising")


def _catch(site: Site) -> Iterator[Edit]:
    """The failing statement in ``try``, with a quiet exit or the exception that the test expects."""
    told = [(c, names) for kind, names in _RAISED_BY for c in site.near.constraints_of(kind) if c.line == site.line]
    wanted = [c.detail for c in site.near.constraints_of(_K.WRONG_RAISE)]
    for c, names in told:
        exits = [f"raise {w}({c.detail!r})" for w in wanted if w.isidentifier()]
        exits += ["continue"] if site.in_loop else []
        exits += ["return None", "pass"]
        match site.small_statement:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name)), *_]):
                exits += [f"{name} = {value}" for value in ("None", "0", "''", "[]")]
        exits += [f"return {v}" for v in ("False", "0", "''", "[]", "{}", *site.words.variables[:3])]
        clauses = {f"except {n}:\n    {leave}\n": f"catches `{n}` with `{leave}`" for n in names[:2] for leave in exits}
        for clause, weight in weigh_by_rank(clauses):
            node = cst.parse_statement(f"try:\n    pass\n{clause}")
            yield site.lines((node.with_changes(body=site.block()),), weight, clauses[clause])


OPERATORS = (
    Operator(
        "raised_type", "exception", (cst.SimpleStatementLine,), _raised_type, roles=STATEMENT, choosy=True
    ).with_examples(
        Example("def f(a):\n    raise KeyError(a)\n", "def f(a):\n    raise ValueError(a)\n"),
        Example(
            "def f(a):\n    raise KeyError\n", "def f(a):\n    raise OSError\n", ((_K.WRONG_RAISE, "", "OSError", 0),)
        ),
        Example(
            "def f(graph):\n    raise nx.NetworkError('no node')\n",
            "def f(graph):\n    raise nx.NodeNotFound('no node')\n",
            ((_K.WRONG_RAISE, "", "NodeNotFound", 0),),
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("caught_type", "exception", (cst.ExceptHandler,), _caught_type, roles=("part",)).with_examples(
        Example(
            "def f(a):\n    try:\n        return g(a)\n    except KeyError:\n        return 1\n",
            "def f(a):\n    try:\n        return g(a)\n    except (KeyError, TypeError):\n        return 1\n",
        ),
        Example(
            "def f(a):\n    try:\n        return g(a)\n    except KeyError as e:\n        return e\n",
            "def f(a):\n    try:\n        return g(a)\n    except IndexError as e:\n        return e\n",
        ),
        Example(
            "def f(path):\n    try:\n        return load(path)\n    except ValueError:\n        return None\n",
            "def f(path):\n    try:\n        return load(path)\n    except Exception:\n        return None\n",
        ),
        Example(
            "def f(a):\n    try:\n        return g(a)\n    except (KeyErr, OSError):\n        return 1\n",
            "def f(a):\n    try:\n        return g(a)\n    except (KeyError, OSError):\n        return 1\n",
        ),
        Example("def f(a):\n    try:\n        return g(a)\n    except:\n        return 1\n"),
    ),
    Operator("insert_raise", "raise", (cst.BaseStatement,), _insert_raise, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    return a\n",
            "def f(a):\n    if not a:\n        raise ValueError(f'invalid a: {a!r}')\n    return a\n",
            ((_K.MISSING_RAISE, "f(1)", "ValueError", 0),),
        ),
        Example(
            "def f(a):\n    if a:\n        return 1\n    return 2\n",
            "def f(a):\n    if a:\n        return 1\n    raise KeyError()\n",
            ((_K.MISSING_RAISE, "", "KeyError", 0),),
        ),
        Example(
            "def f(size):\n    return [0] * size\n",
            "def f(size):\n    if size < 0:\n        raise ValueError(f'invalid size: {size!r}')\n"
            "    return [0] * size\n",
            ((_K.MISSING_RAISE, "f(-1)", "ValueError", 0),),
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("reraise", "exception", (cst.SimpleStatementLine,), _reraise, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    try:\n        g(a)\n    except E:\n        pass\n",
            "def f(a):\n    try:\n        g(a)\n    except E:\n        raise\n",
        ),
        Example("def f(a):\n    if a:\n        raise E(a)\n", "def f(a):\n    if a:\n        return None\n"),
        Example(
            "def f(path, log):\n    try:\n        return load(path)\n    except OSError:\n        log(path)\n",
            "def f(path, log):\n    try:\n        return load(path)\n    except OSError:\n        raise\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("catch", "guard", (cst.BaseStatement,), _catch, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    n = int(a)\n    return n\n",
            "def f(a):\n    try:\n        n = int(a)\n    except ValueError:\n        return None\n    return n\n",
            ((_K.FAILED_CONVERSION, "int(a)", "'x'", 2),),
        ),
        Example(
            "def f(d):\n    d.g()\n",
            "def f(d):\n    try:\n        d.g()\n    except AttributeError:\n        pass\n",
            ((_K.OPTIONAL_ATTRIBUTE, "d", "g", 2),),
        ),
        Example(
            "def f(rows, key):\n    return rows[key]\n",
            "def f(rows, key):\n    try:\n        return rows[key]\n    except KeyError:\n        return None\n",
            ((_K.MISSING_KEY, "rows[key]", "'x'", 2),),
        ),
        Example("def f(a):\n    return a\n"),
    ),
)
