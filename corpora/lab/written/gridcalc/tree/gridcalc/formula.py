"""Parser for the formulas of the grid.

    expr   := term (("+" | "-") term)*
    term   := factor (("*" | "/") factor)*
    factor := NUMBER | NAME | FUNC "(" NAME ":" NAME ")" | "(" expr ")" | "-" factor

A parsed formula is a nested tuple, for example ``("+", ("ref", "A1"), ("num", 2.0))``.
"""
import re

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Z]+[1-9]\d*)|([A-Z]+)|(.))")
FUNCTIONS = ("SUM", "MIN", "MAX", "COUNT")


class FormulaError(ValueError):
    pass


class _Parser:
    def __init__(self, text):
        self.items = []
        for number, ref, name, other in TOKEN.findall(text.strip().upper()):
            if number:
                self.items.append(("num", float(number)))
            elif ref:
                self.items.append(("ref", ref))
            elif name:
                self.items.append(("name", name))
            else:
                self.items.append((other, other))
        self.items.append(("end", None))
        self.pos = 0

    def peek(self):
        return self.items[self.pos][0]

    def take(self, kind):
        found, value = self.items[self.pos]
        if found != kind:
            raise FormulaError(f"expected {kind}, found {found}")
        self.pos += 1
        return value

    def expr(self):
        left = self.term()
        while self.peek() in "+-":
            op = self.take(self.peek())
            left = (op, left, self.term())
        return left

    def term(self):
        left = self.factor()
        while self.peek() in "*/":
            op = self.take(self.peek())
            left = (op, left, self.factor())
        return left

    def factor(self):
        kind = self.peek()
        if kind in ("num", "ref"):
            return (kind, self.take(kind))
        if kind == "name":
            name = self.take("name")
            if name not in FUNCTIONS:
                raise FormulaError(f"unknown function {name}")
            self.take("(")
            first = self.take("ref")
            self.take(":")
            last = self.take("ref")
            self.take(")")
            return ("func", name, first, last)
        if kind == "-":
            self.take("-")
            return ("neg", self.factor())
        self.take("(")
        inner = self.expr()
        self.take(")")
        return inner


def parse(text):
    parser = _Parser(text)
    tree = parser.expr()
    parser.take("end")
    return tree
