"""Files of grown tests: what is verified when the time is over is kept."""

from __future__ import annotations

from fakes.grown import growing

from analysis.errors import OutOfTimeError
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.file_maker import FileMaker
from repair.survey.growing.verified import VerifiedTests

SHOP = b"def twice(n):\n    return 2 * n\n"
TESTS = b"from shop import twice\n\ndef test_twice():\n    assert twice(0) == 0\n"


class Late:
    """Verifies one file; then the time is over."""

    def __init__(self, maker: FileMaker) -> None:
        self._maker = maker
        self._asked = 0

    def verify(self, path: str, cases: list[CallCase]) -> VerifiedTests:
        self._asked += 1
        if self._asked > 1:
            raise OutOfTimeError("The time is over")
        return VerifiedTests(self._maker.printer.print_tests(cases), (), 6)


def test_a_file_that_was_verified_in_time_is_kept_and_the_rest_is_counted():
    grower, _ = growing(SHOP, TESTS)
    maker = FileMaker.of(grower.seen, "", failing=False)
    first, second, third = (
        CallCase("twice", f"shop.twice({n})", Claim(ClaimKind.EQUALS, str(2 * n))) for n in (1, 2, 3)
    )
    placed = [("shop.py", first), ("test_shop.py", second), ("test_shop.py", third)]
    made = maker.make(Late(maker), (), placed, ())
    assert [file.path for file in made.files] == ["test_grown_shop.py"]
    assert list(made.tests) == [first]
    assert (made.runs, made.late) == (6, 2)
