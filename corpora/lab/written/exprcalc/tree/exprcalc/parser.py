"""Recursive descent parser.

    expr   := term (('+' | '-') term)*
    term   := unary (('*' | '/' | '%') unary)*
    unary  := ('-' | '+') unary | power
    power  := atom ['^' unary]
    atom   := number | name | name '(' [expr (',' expr)*] ')' | '(' expr ')'

Trees are tuples: ("num", 1.0), ("var", "x"), ("neg", t),
("bin", op, left, right), ("call", name, [args]).
"""
from .lexer import ExprError, tokens


class Parser:
    def __init__(self, text: str):
        self._toks = list(tokens(text))
        self._i = 0

    # -- helpers -----------------------------------------------------
    @property
    def _cur(self):
        return self._toks[self._i]

    def _take(self):
        tok = self._cur
        self._i += 1
        return tok

    def _at(self, *ops: str) -> bool:
        return self._cur.kind == "op" and self._cur.text in ops

    def _expect(self, op: str):
        if not self._at(op):
            got = self._cur.text or "end of input"
            raise ExprError(f"expected {op!r}, got {got} at {self._cur.pos}")
        return self._take()

    # -- grammar -----------------------------------------------------
    def parse(self):
        tree = self._expr()
        if self._cur.kind != "end":
            raise ExprError(f"unexpected {self._cur.text!r} at {self._cur.pos}")
        return tree

    def _expr(self):
        left = self._term()
        while self._at("+", "-"):
            op = self._take().text
            left = ("bin", op, left, self._term())
        return left

    def _term(self):
        left = self._unary()
        while self._at("*", "/", "%"):
            op = self._take().text
            left = ("bin", op, left, self._unary())
        return left

    def _unary(self):
        if self._at("-"):
            self._take()
            return ("neg", self._unary())
        if self._at("+"):
            self._take()
            return self._unary()
        return self._power()

    def _power(self):
        left = self._atom()
        while self._at("^"):
            op = self._take().text
            left = ("bin", op, left, self._atom())
        return left

    def _atom(self):
        tok = self._take()
        if tok.kind == "num":
            return ("num", float(tok.text))
        if tok.kind == "name":
            if self._at("("):
                return ("call", tok.text, self._args())
            return ("var", tok.text)
        if tok.kind == "op" and tok.text == "(":
            tree = self._expr()
            self._expect(")")
            return tree
        if tok.kind == "end":
            raise ExprError("unexpected end of input")
        raise ExprError(f"unexpected {tok.text!r} at {tok.pos}")

    def _args(self):
        self._expect("(")
        args = []
        if not self._at(")"):
            args.append(self._expr())
            while self._at(","):
                self._take()
                args.append(self._expr())
        self._expect(")")
        return args
