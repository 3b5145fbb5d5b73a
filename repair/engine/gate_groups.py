"""Gates by name: what each group of them is asked for."""

TEXTUAL = ("shape", "capability")
"""Gates that read a candidate's text."""

PLAUSIBLE = ("test_quality", "fixes", "regressions")
"""Gates that show a candidate plausible."""

BESIDE = ("fixes", "stability")
"""Gates that only run tests, cold, and share nothing with the others: a second core may have them meanwhile.

None of them makes syntax trees. Two threads that do make Python 3.11 fail at times ("AST constructor recursion depth
mismatch"): it counts the depth for both together.
"""
