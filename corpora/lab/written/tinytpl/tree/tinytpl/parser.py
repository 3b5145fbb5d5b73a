import re

TOKEN = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})", re.S)


class TemplateError(Exception):
    pass


def parse(source):
    """Parse into a list of nodes (tuples)."""
    root = []
    stack = [("root", root)]
    for piece in TOKEN.split(source):
        body = stack[-1][1]
        if not piece:
            continue
        if piece.startswith("{{"):
            name, *filters = [p.strip() for p in piece[2:-2].split("|")]
            body.append(("var", name, filters))
        elif piece.startswith("{%"):
            words = piece[2:-2].split()
            if not words:
                raise TemplateError("empty tag")
            if words[0] == "for":
                if len(words) != 4 or words[2] != "in":
                    raise TemplateError("use {% for x in xs %}")
                inner = []
                body.append(("for", words[1], words[3], inner))
                stack.append(("for", inner))
            elif words[0] == "if":
                yes, no = [], []
                body.append(("if", words[-1], words[1:-1] == ["not"], yes, no))
                stack.append(("if", yes, no))
            elif words[0] == "else":
                if stack[-1][0] != "if":
                    raise TemplateError("else without if")
                _, _, no = stack.pop()
                stack.append(("else", no))
            elif words[0] in ("endfor", "endif"):
                kind = stack[-1][0]
                if words[0] == "endfor" and kind != "for" or words[0] == "endif" and kind not in ("if", "else"):
                    raise TemplateError(f"unexpected {words[0]}")
                stack.pop()
            else:
                raise TemplateError(f"unknown tag {words[0]}")
        else:
            body.append(("text", piece))
    if len(stack) > 1:
        raise TemplateError(f"unclosed {stack[-1][0]}")
    return root
