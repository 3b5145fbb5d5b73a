from dataclasses import dataclass

KEYWORDS = {"let", "if", "else", "true", "false", "none"}

SYMBOLS = ["==", "!=", "<=", ">=", "->", "=", "<", ">", "+", "-", "*", "/",
           "(", ")", "{", "}", ",", ";", ":"]


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    line: int
    column: int


class LexError(Exception):
    """Bad input; knows where."""

    def __init__(self, message: str, line: int, column: int):
        super().__init__(f"{line}:{column}: {message}")
        self.message = message
        self.line = line
        self.column = column
