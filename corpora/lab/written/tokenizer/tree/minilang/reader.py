"""Reads ``let name = value;`` settings from tokens."""
from .lexer import Lexer
from .tokens import LexError

CONSTANTS = {"true": True, "false": False, "none": None}


def read_settings(source: str) -> dict:
    tokens = Lexer(source).tokens()
    settings = {}
    index = 0

    def expect(kind, text=None):
        nonlocal index
        token = tokens[index]
        if token.kind != kind or (text is not None and token.text != text):
            raise LexError(f"expected {text or kind}", token.line, token.column)
        index += 1
        return token

    while tokens[index].kind != "end":
        expect("keyword", "let")
        name = expect("name").text
        expect("symbol", "=")
        settings[name] = value_of(tokens[index])
        index += 1
        expect("symbol", ";")
    return settings


def value_of(token):
    if token.kind == "string":
        return token.text
    if token.kind == "number":
        return float(token.text) if "." in token.text else int(token.text)
    if token.text in CONSTANTS and token.kind == "keyword":
        return CONSTANTS[token.text]
    raise LexError("expected a value", token.line, token.column)
