"""``try`` statements: a handler more, less caught by what stands in the body, classes above and below, causes."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

import libcst as cst

from analysis.facts import ConstraintKind
from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import pairs_by_rank, statements_of
from transforms.tree.fragments import parse_expression, parse_statements

_COMMON = ("ValueError", "TypeError", "KeyError", "AttributeError", "IndexError", "OSError", "UnicodeError")
_COMMON_CLASSES = (*_COMMON, "LookupError", "OverflowError", "ImportError", "StopIteration", "Exception")
_QUIET = ("pass", "return None", "return False")


def _add_handler(site: Site) -> Iterator[Edit]:
    """A handler before the others: what they do for other exceptions, a quiet exit, or the exception wanted."""
    node = site.node_as(cst.Try)
    caught = " ".join(site.print(h.type) for h in node.handlers if h.type is not None)
    held = re.findall(r"[^\s(),]+", caught)
    known = dict.fromkeys((*site.near.raised, *(e.text for e in site.words.exceptions), *_COMMON_CLASSES))
    names = [name for name in known if name not in held]
    wanted = [c.detail for c in site.near.constraints_of(ConstraintKind.WRONG_RAISE) if c.detail.isidentifier()]
    bodies: list[tuple[str, cst.BaseSuite]] = [("what the next handler does", h.body) for h in node.handlers[:2]]
    jump = ("continue",) if site.in_loop else ()
    for text in (*(f"raise {w}()" for w in wanted), *jump, *_QUIET):
        statements = parse_statements(text)
        assert statements is not None, "that is what is written above"
        bodies.append((f"`{text}`", cst.IndentedBlock(list(statements))))
    for place, (name, (what, body)) in enumerate(pairs_by_rank(names[:9], bodies)):
        kind = parse_expression(name)
        if kind is not None:
            space = cst.SimpleWhitespace(" ")
            handler = cst.ExceptHandler(type=kind, body=body, whitespace_after_except=space)
            new = node.with_changes(handlers=[handler, *node.handlers])
            yield site.lines((new,), 0.3 / (place + 1), f"catches `{name}` too, with {what}")


def _narrow(site: Site) -> Iterator[Edit]:
    """The end of the body into ``else``, where nothing is caught; an ``else`` into the body."""
    node = site.node_as(cst.Try)
    body, rest = statements_of(node.body), statements_of(node.orelse.body if node.orelse else None)
    if node.handlers:
        for kept in range(len(body) - 1, 0, -1):
            clause = cst.Else(body=cst.IndentedBlock([*body[kept:], *rest]))
            new = node.with_changes(body=node.body.with_changes(body=body[:kept]), orelse=clause)
            yield site.lines((new,), 0.5 / (len(body) - kept), "catches nothing of what the body ends with")
    if rest and body:
        new = node.with_changes(body=node.body.with_changes(body=[*body, *rest]), orelse=None)
        yield site.lines((new,), 0.3, "catches what `else` raises, too")


def _drop_handler(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Try)
    if len(node.handlers) > 1 or (node.handlers and node.finalbody is not None):
        for index, handler in enumerate(node.handlers):
            rest = [*node.handlers[:index], *node.handlers[index + 1 :]]
            own = clip_text(site.print(handler.type)) if handler.type is not None else "everything"
            orelse = node.orelse if rest else None
            yield site.lines((node.with_changes(handlers=rest, orelse=orelse),), 0.3, f"no longer catches `{own}`")


def _caught_family(site: Site) -> Iterator[Edit]:
    """The class above the one that is caught, or one below it; ``except`` of everything as ``Exception``."""
    node = site.node_as(cst.ExceptHandler)
    if node.type is None:
        new = node.with_changes(type=cst.Name("Exception"), whitespace_after_except=cst.SimpleWhitespace(" "))
        yield site.put(new, 0.5, "no longer catches the end of the program")
        return
    own = site.print(node.type)
    raised = (name for name in site.near.raised if name not in own)
    narrower = (name for name in _COMMON_CLASSES if own in _broader_exceptions(name))
    for name, weight in weigh_by_rank((*_broader_exceptions(own), *raised, *narrower)):
        kind = parse_expression(name)
        if kind is not None:
            yield site.put(node.with_changes(type=kind), weight, f"catches `{name}` instead of `{clip_text(own)}`")


def _broader_exceptions(name: str) -> list[str]:
    """Builtin classes that an exception is derived from, the nearest first."""
    found = getattr(builtins, name, None)
    mro = found.__mro__[1:] if isinstance(found, type) and issubclass(found, BaseException) else ()
    return [c.__name__ for c in mro if c not in (BaseException, object)]


def _raise_from(site: Site) -> Iterator[Edit]:
    """The exception that is handled as the cause of the one that is raised, or nothing as its cause."""
    small, handler = site.small_statement, site.enclosing(cst.ExceptHandler)
    if not isinstance(small, cst.Raise) or small.exc is None or handler is None:
        return
    caught = handler.node_as(cst.ExceptHandler).name
    causes = [*([site.print(caught.name)] if caught is not None else []), "None"]
    own = site.print(small.cause.item) if small.cause is not None else ""
    for place, cause in enumerate(cause for cause in causes if cause != own):
        text = f"raise {site.print(small.exc)} from {cause}"
        yield site.lines((text,), 0.5 / (place + 1), f"raises it from `{cause}`")


_BODY = "def f(a):\n    try:\n        x = load(a)\n"

OPERATORS = (
    Operator("add_handler", "exception", (cst.Try,), _add_handler, roles=STATEMENT).with_examples(
        Example(
            f"{_BODY}    except KeyError:\n        return None\n    return x\n",
            f"{_BODY}    except ValueError:\n        return None\n    except KeyError:\n        return None\n"
            "    return x\n",
        ),
        Example(
            f"{_BODY}    except OSError:\n        raise\n    return x\n",
            f"{_BODY}    except UnicodeError:\n        return False\n    except OSError:\n        raise\n"
            "    return x\n",
        ),
        Example(
            "def f(rows):\n    for row in rows:\n        try:\n            save(row)\n        finally:\n"
            "            close(row)\n",
            "def f(rows):\n    for row in rows:\n        try:\n            save(row)\n        except ValueError:\n"
            "            continue\n        finally:\n            close(row)\n",
        ),
        Example("def f(a):\n    with a:\n        return a.x\n"),
    ),
    Operator("narrow_try", "exception", (cst.Try,), _narrow, roles=STATEMENT, choosy=True).with_examples(
        Example(
            f"{_BODY}        use(x)\n    except KeyError:\n        pass\n",
            f"{_BODY}    except KeyError:\n        pass\n    else:\n        use(x)\n",
        ),
        Example(
            f"{_BODY}        y = x.y\n        z = y.z\n    except KeyError:\n        return 1\n    return z\n",
            f"{_BODY}    except KeyError:\n        return 1\n    else:\n        y = x.y\n        z = y.z\n"
            "    return z\n",
        ),
        Example(
            f"{_BODY}    except KeyError:\n        return 1\n    else:\n        use(x)\n",
            f"{_BODY}        use(x)\n    except KeyError:\n        return 1\n",
        ),
        Example(f"{_BODY}    except KeyError:\n        return 1\n    return x\n"),
    ),
    Operator("drop_handler", "exception", (cst.Try,), _drop_handler, roles=STATEMENT, choosy=True).with_examples(
        Example(
            f"{_BODY}    except KeyError:\n        return 1\n    except OSError:\n        x = 2\n    return x\n",
            f"{_BODY}    except KeyError:\n        return 1\n    return x\n",
        ),
        Example(
            f"{_BODY}    except KeyError:\n        return 1\n    finally:\n        a.close()\n",
            f"{_BODY}    finally:\n        a.close()\n",
        ),
        Example(
            "def f(q):\n    try:\n        q.put(1)\n    except Full:\n        q.get()\n    except Exception:\n"
            "        pass\n",
            "def f(q):\n    try:\n        q.put(1)\n    except Full:\n        q.get()\n",
        ),
        Example(f"{_BODY}    except KeyError:\n        return 1\n"),
    ),
    Operator(
        "caught_kin", "exception", (cst.ExceptHandler,), _caught_family, roles=("part",), choosy=True
    ).with_examples(
        Example(
            "def f(name):\n    try:\n        return name.encode('idna')\n    except UnicodeEncodeError:\n"
            "        return None\n",
            "def f(name):\n    try:\n        return name.encode('idna')\n    except UnicodeError:\n"
            "        return None\n",
        ),
        Example(
            f"{_BODY}    except:\n        return 1\n    return x\n",
            f"{_BODY}    except Exception:\n        return 1\n    return x\n",
        ),
        Example(
            f"{_BODY}    except LookupError as e:\n        return e\n",
            f"{_BODY}    except KeyError as e:\n        return e\n",
        ),
        Example(f"{_BODY}    except errors.Missing:\n        return 1\n"),
    ),
    Operator(
        "raise_from", "exception", (cst.SimpleStatementLine,), _raise_from, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            f"{_BODY}    except OSError as problem:\n        raise ValueError(a)\n    return x\n",
            f"{_BODY}    except OSError as problem:\n        raise ValueError(a) from problem\n    return x\n",
        ),
        Example(
            f"{_BODY}    except KeyError:\n        raise AttributeError(a)\n    return x\n",
            f"{_BODY}    except KeyError:\n        raise AttributeError(a) from None\n    return x\n",
        ),
        Example(
            f"{_BODY}    except KeyError as e:\n        raise Missing(a) from None\n    return x\n",
            f"{_BODY}    except KeyError as e:\n        raise Missing(a) from e\n    return x\n",
        ),
        Example("def f(a):\n    raise ValueError(a)\n"),
    ),
)
