"""Recursive descent parser; the result is a tree of tuples."""
from tokens import FilterSyntaxError, tokenize

COMPARE = {"==", "!=", "<", ">", "<=", ">="}


class Parser:
    def __init__(self, text):
        self.tokens = tokenize(text)
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def advance(self):
        token = self.current
        self.index += 1
        return token

    def accept(self, kind, value):
        if self.current.kind == kind and self.current.value == value:
            return self.advance()
        return None

    def expect(self, kind, value):
        token = self.accept(kind, value)
        if token is None:
            raise FilterSyntaxError(f"expected {value!r}", self.current.pos)
        return token

    def parse(self):
        node = self.parse_or()
        if self.current.kind != "end":
            raise FilterSyntaxError("trailing input", self.current.pos)
        return node

    def parse_or(self):
        node = self.parse_and()
        while self.accept("keyword", "or"):
            node = ("or", node, self.parse_and())
        return node

    def parse_and(self):
        node = self.parse_not()
        while self.accept("keyword", "and"):
            node = ("and", node, self.parse_not())
        return node

    def parse_not(self):
        if self.accept("keyword", "not"):
            return ("not", self.parse_not())
        return self.parse_comparison()

    def parse_comparison(self):
        left = self.parse_value()
        token = self.current
        if token.kind == "op" and token.value in COMPARE:
            self.advance()
            return (token.value, left, self.parse_value())
        if self.accept("keyword", "in"):
            return ("in", left, self.parse_list())
        return left

    def parse_list(self):
        self.expect("op", "[")
        items = []
        if not self.accept("op", "]"):
            items.append(self.parse_value())
            while self.accept("op", ","):
                items.append(self.parse_value())
            self.expect("op", "]")
        return ("list", *items)

    def parse_value(self):
        token = self.advance()
        if token.kind in ("number", "string"):
            return ("const", token.value)
        if token.kind == "name":
            return ("name", token.value)
        if token.kind == "keyword" and token.value in ("true", "false", "null"):
            return ("const", {"true": True, "false": False, "null": None}[token.value])
        if token.kind == "op" and token.value == "(":
            node = self.parse_or()
            self.expect("op", ")")
            return node
        raise FilterSyntaxError("expected a value", token.pos)
