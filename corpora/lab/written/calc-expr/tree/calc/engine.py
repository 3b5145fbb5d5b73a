"""Recursive descent parser that computes while it reads."""

import math

from .tokens import CalcError, render, tokenize

FUNCTIONS = {
    "max": max,
    "min": min,
    "sqrt": math.sqrt,
    "abs": abs,
    "hypot": math.hypot,
}


class _Reader:
    def __init__(self, tokens, names):
        self.tokens = tokens
        self.names = names
        self.pos = 0

    def peek(self):
        if self.pos < len(self.tokens):
            return self.tokens[self.pos]
        return ("end", "")

    def take(self, kind, values=None):
        token = self.peek()
        if token[0] == kind and (values is None or token[1] in values):
            self.pos += 1
            return token
        return None

    def expect(self, kind):
        token = self.take(kind)
        if token is None:
            raise CalcError(f"expected {kind}, found {self.peek()[0]}")
        return token

    def sum(self):
        value = self.product()
        while token := self.take("op", "+-"):
            right = self.product()
            value = value + right if token[1] == "+" else value - right
        return value

    def product(self):
        value = self.signed()
        while token := self.take("op", "*/%"):
            right = self.signed()
            if token[1] == "*":
                value *= right
            elif right == 0:
                raise CalcError("division by zero")
            elif token[1] == "/":
                value /= right
            else:
                value = math.fmod(value, right)
        return value

    def signed(self):
        if self.take("neg"):
            return -self.signed()
        return self.power()

    def power(self):
        base = self.atom()
        if self.take("op", "^"):
            return base ** self.signed()
        return base

    def atom(self):
        if token := self.take("num"):
            return token[1]
        if self.take("lparen"):
            value = self.sum()
            self.expect("rparen")
            return value
        _, name = self.expect("name")
        if self.take("lparen"):
            return self.call(name)
        if name not in self.names:
            raise CalcError(f"unknown name {name!r}")
        return self.names[name]

    def call(self, name):
        arguments = [self.sum()]
        while self.take("comma"):
            arguments.append(self.sum())
        self.expect("rparen")
        try:
            return FUNCTIONS[name](*arguments)
        except KeyError:
            raise CalcError(f"unknown function {name!r}") from None


def evaluate(text, names=None):
    """The value of an expression; ``names`` are the variables it may use."""
    reader = _Reader(tokenize(text), names or {})
    value = reader.sum()
    if reader.peek()[0] != "end":
        raise CalcError(f"left over: {render(reader.tokens[reader.pos:]).strip()}")
    return value


class Calculator:
    """Remembers variables, the last answer as ``ans`` and a history."""

    def __init__(self):
        self.names = {"pi": math.pi}
        self.history = []

    def run(self, line):
        name, sign, rest = line.partition("=")
        expression = rest if sign else line
        value = evaluate(expression, self.names)
        if sign:
            self.names[name.strip()] = value
        self.names["ans"] = value
        self.history.append((render(tokenize(expression)), value))
        return value
