"""A check of the house's own: it doubts a patch that brings a number into a function.

Install this folder beside the engine, and name the check: ``repair check --since HEAD --extra-check new_numbers``. It
is shown one patch in texts, and gives a sentence or nothing. The sentence is told with the verdict; the word stays.
"""

import ast
import textwrap


def numbers(text):
    """The numbers that a function's text holds, the small ones left out."""
    found = {node.value for node in ast.walk(ast.parse(textwrap.dedent(text))) if isinstance(node, ast.Constant)}
    return {value for value in found if type(value) in (int, float) and value not in (0, 1, 2)}


def doubt(patch):
    """Why the house doubts the patch; None where it does not."""
    new = sorted(numbers(patch.after) - numbers(patch.before))
    if not new:
        return None
    told = ", ".join(map(str, new))
    calls = f"; {patch.calls[0].call} changes" if patch.calls else ""
    return f"{patch.function} in {patch.file} holds {told}, and our limits stand in settings{calls}"
