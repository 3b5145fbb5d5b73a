"""The libraries whose tests are grown by `make bench-grow`: pinned releases with the tests of later ones."""

from __future__ import annotations

from dataclasses import dataclass

from corpora.lab.cases import HUMANIZE, PYTEST
from corpora.lab.pinned import SourcePackage


@dataclass(frozen=True, slots=True)
class Library:
    """A library, the files whose public functions are grown, its environment, and its ``tests`` where not all count.

    ``later`` is a release after it, whose tests tell mutants apart as well.
    """

    package: SourcePackage
    paths: tuple[str, ...]
    sources: str = "."
    requirements: tuple[str, ...] = PYTEST
    tests: tuple[str, ...] = ()
    later: SourcePackage | None = None


LIBRARIES = {
    "inflection": Library(
        SourcePackage("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417"),
        ("inflection",),
    ),
    "humanize": Library(
        HUMANIZE.pair.new,
        ("src/humanize/filesize.py", "src/humanize/lists.py", "src/humanize/number.py"),
        "src",
        HUMANIZE.requirements,
    ),
    "idna": Library(
        SourcePackage("idna", "3.10", "12f65c9b470abda6dc35cf8e63cc574b1c52b11df2c86030af0ac09b01b13ea9"),
        ("idna/core.py", "idna/intranges.py"),
        tests=(
            "tests/test_idna.py",
            "tests/test_idna_compat.py",
            "tests/test_idna_codec.py",
        ),  # not the 6,000 of a table
        later=SourcePackage("idna", "3.20", "a7db850025b95ded1eae8a46181a1a6c56c92c96f0e2b005d9ff8dc0210cab44"),
    ),
    "isodate": Library(
        SourcePackage("isodate", "0.7.0", "c6332cf456314b85cc3b6ea2c45a6fa417cb1fddb361f6d2ed8f4f69e843c6d1"),
        ("src/isodate",),
        "src",
        later=SourcePackage("isodate", "0.7.2", "4cd1aa0f43ca76f4a6c6c0292a85f40b35ec2e43e315b59f06e6d32171a953e6"),
    ),
    "rfc3986": Library(
        SourcePackage("rfc3986", "2.0.0", "97aacf9dbd4bfd829baad6e6309fa6573aaf1be3f6fa735c8ab05e46cecb261c"),
        ("src/rfc3986/normalizers.py", "src/rfc3986/misc.py", "src/rfc3986/validators.py"),
        "src",
    ),
    "validators": Library(
        SourcePackage("validators", "0.35.0", "992d6c48a4e77c81f1b4daba10d16c3a9bb0dbb79b3a19ea847ff0928e70497a"),
        ("src/validators",),
        "src",
        later=SourcePackage("validators", "0.36.0", "92ad9ed00bbed320b784cec0ea90b213cf08904cf605b3d0852cfa4108e32a2c"),
    ),
    "email_validator": Library(
        SourcePackage("email_validator", "2.2.0", "cb690f344c617a714f22e66ae771445a1ceb46821152df8e165c5f9a364582b7"),
        ("email_validator/syntax.py", "email_validator/validate_email.py"),
        requirements=(*PYTEST, "dnspython==2.7.0", "idna==3.10"),
        later=SourcePackage(
            "email_validator", "2.4.0", "be487bc50bc3bd832a98515a55a15649d9bec06d954fa178663190714b6c4ee1"
        ),
    ),
    "w3lib": Library(
        SourcePackage("w3lib", "2.3.1", "5c8ac02a3027576174c2b61eb9a2170ba1b197cae767080771b6f1febda249a4"),
        ("w3lib/html.py", "w3lib/http.py", "w3lib/url.py"),
        later=SourcePackage("w3lib", "2.5.0", "a7ddf714508ddc1b8563bd19ace2feb28080bbaca39326cbc964359f6754f615"),
    ),
    "webcolors": Library(
        SourcePackage("webcolors", "24.11.1", "ecb3d768f32202af770477b8b65f318fa4f566c22948673a977b00d589dd80f6"),
        ("src/webcolors",),
        "src",
        later=SourcePackage("webcolors", "25.10.0", "62abae86504f66d0f6364c2a8520de4a0c47b80c03fc3a5f1815fedbef7c19bf"),
    ),
}
FIVE = ("idna", "isodate", "rfc3986", "validators", "webcolors")
"""Growing was never tried on these before they were measured (three of them in a later release)."""
