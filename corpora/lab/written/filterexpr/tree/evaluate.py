import operator

from parser_ import Parser

OPS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def lookup(record, path):
    """Follow a dotted name through nested dicts; missing parts give None."""
    for part in path.split("."):
        if not isinstance(record, dict):
            return None
        record = record.get(part)
    return record


def evaluate(node, record):
    kind = node[0]
    if kind == "const":
        return node[1]
    if kind == "name":
        return lookup(record, node[1])
    if kind == "list":
        return [evaluate(item, record) for item in node[1:]]
    if kind == "not":
        return not evaluate(node[1], record)
    if kind == "and":
        return bool(evaluate(node[1], record)) and bool(evaluate(node[2], record))
    if kind == "or":
        return bool(evaluate(node[1], record)) or bool(evaluate(node[2], record))
    left = evaluate(node[1], record)
    right = evaluate(node[2], record)
    if kind == "in":
        return left in right
    try:
        return OPS[kind](left, right)
    except TypeError:
        return False


def select(text, records):
    tree = Parser(text).parse()
    return [record for record in records if evaluate(tree, record)]
