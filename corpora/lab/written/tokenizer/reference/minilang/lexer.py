from .tokens import KEYWORDS, SYMBOLS, LexError, Token

ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Lexer:
    """Turns source text into tokens.

    Lines and columns count from 1.  ``#`` starts a comment up to the end of
    the line; ``/* ... */`` may span lines and does not nest.
    """

    def __init__(self, source: str):
        self.source = source
        self.pos = 0
        self.line = 1
        self.column = 1

    def tokens(self) -> list[Token]:
        found = []
        while True:
            self.skip_blank()
            if self.pos >= len(self.source):
                break
            found.append(self.next_token())
        found.append(Token("end", "", self.line, self.column))
        return found

    # -- helpers ---------------------------------------------------------

    def peek(self, ahead: int = 0) -> str:
        index = self.pos + ahead
        return self.source[index] if index < len(self.source) else ""

    def advance(self, count: int = 1) -> str:
        """Consume count characters and return them."""
        text = self.source[self.pos:self.pos + count]
        for char in text:
            if char == "\n":
                self.line += 1
                self.column = 1
            else:
                self.column += 1
        self.pos += len(text)
        return text

    def skip_blank(self) -> None:
        """Skip white space and comments."""
        while self.pos < len(self.source):
            char = self.peek()
            if char.isspace():
                self.advance()
            elif char == "#":
                while self.peek() not in ("", "\n"):
                    self.advance()
            elif self.source.startswith("/*", self.pos):
                line, column = self.line, self.column
                end = self.source.find("*/", self.pos + 2)
                if end < 0:
                    raise LexError("unterminated comment", line, column)
                self.advance(end + 2 - self.pos)
            else:
                return

    # -- tokens ----------------------------------------------------------

    def next_token(self) -> Token:
        char = self.peek()
        if char.isalpha() or char == "_":
            return self.word()
        if char.isdigit():
            return self.number()
        if char == '"':
            return self.string()
        for symbol in SYMBOLS:
            if self.source.startswith(symbol, self.pos):
                line, column = self.line, self.column
                self.advance(len(symbol))
                return Token("symbol", symbol, line, column)
        raise LexError(f"unexpected character {char!r}", self.line, self.column)

    def word(self) -> Token:
        line, column = self.line, self.column
        text = ""
        while self.peek().isalnum() or self.peek() == "_":
            text += self.advance()
        kind = "keyword" if text in KEYWORDS else "name"
        return Token(kind, text, line, column)

    def number(self) -> Token:
        """An integer or a decimal; a dot needs a digit on both sides."""
        line, column = self.line, self.column
        text = ""
        while self.peek().isdigit():
            text += self.advance()
        if self.peek() == "." and self.peek(1).isdigit():
            text += self.advance()
            while self.peek().isdigit():
                text += self.advance()
        if self.peek().isalpha() or self.peek() == "_":
            raise LexError("name joined to a number", line, column)
        return Token("number", text, line, column)

    def string(self) -> Token:
        """A double-quoted string on one line; the token holds its value."""
        line, column = self.line, self.column
        self.advance()
        text = ""
        while self.peek() != '"':
            if self.peek() in ("", "\n"):
                raise LexError("unterminated string", line, column)
            char = self.advance()
            if char == "\\":
                code = self.peek()
                if code not in ESCAPES:
                    raise LexError(f"bad escape \\{code}", self.line, self.column - 1)
                self.advance()
                char = ESCAPES[code]
            text += char
        self.advance()
        return Token("string", text, line, column)
