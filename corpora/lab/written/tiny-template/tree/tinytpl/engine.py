import re

from .context import Context
from .nodes import For, If, Output, Set, TemplateError, Text, render_all

_TOKEN = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})", re.S)


class Parser:
    def __init__(self, source):
        self.tokens = [t for t in _TOKEN.split(source) if t]
        self.pos = 0

    def parse(self):
        nodes, end = self.block(())
        return nodes

    def block(self, until):
        """Parse up to one of the given end tags; returns (nodes, end tag)."""
        nodes = []
        while self.pos < len(self.tokens):
            token = self.tokens[self.pos]
            self.pos += 1
            if token.startswith("{#"):
                continue
            if token.startswith("{{"):
                nodes.append(Output(token[2:-2].strip()))
            elif token.startswith("{%"):
                words = token[2:-2].split()
                if words and words[0] in until:
                    return nodes, words[0]
                nodes.append(self.tag(words, token))
            else:
                nodes.append(Text(token))
        if until:
            raise TemplateError(f"missing {' or '.join(until)}")
        return nodes, None

    def tag(self, words, token):
        if words[:1] == ["for"] and "in" in words:
            where = words.index("in")
            names = [n.strip() for n in " ".join(words[1:where]).split(",")]
            body, otherwise = self.body("endfor")
            return For(names, words[where + 1], body, otherwise)
        if words[:1] == ["if"] and len(words) in (2, 3):
            body, otherwise = self.body("endif")
            return If(words[-1], words[1] == "not", body, otherwise)
        if words[:1] == ["set"] and len(words) == 4 and words[2] == "=":
            return Set(words[1], words[3])
        raise TemplateError(f"bad tag {token}")

    def body(self, end):
        body, last = self.block(("else", end))
        otherwise = self.block((end,))[0] if last == "else" else []
        return body, otherwise


class Template:
    def __init__(self, source):
        self.nodes = Parser(source).parse()

    def stream(self, data):
        yield from render_all(self.nodes, Context(data))

    def render(self, **data):
        return "".join(self.stream(data))


def render(source, **data):
    return Template(source).render(**data)
