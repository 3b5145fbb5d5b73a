"""Variables and arguments that may hold a secret, by their names and by their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis.errors import UsageError

SECRET_PARTS = (
    *("KEY", "TOKEN", "SECRET", "PASS", "PWD", "CRED", "COOKIE", "JWT", "OAUTH", "BEARER", "PRIVATE", "NETRC", "PROXY"),
    *("AUTHORI", "AUTHINFO", "CERTIFICATE", "XAUTH", "MNEMONIC", "GIT_CONFIG", "SERVICEFILE"),
)
"""Parts of names of variables that only the user may hand to a project's tests."""

SECRET_WORDS = frozenset(
    (
        *("PAT", "AUTH", "DSN", "URL", "URI", "CERT", "PEM", "SIGNATURE", "WEBHOOK", "SESSION", "LOGIN", "PIN", "OTP"),
        *("PSK", "CONNECTION", "CONNSTR", "CONN", "CONNECTIONSTRING", "SAS", "KUBECONFIG", "INDEX", "KRB5CCNAME"),
        *("AWS", "AZURE", "GCP", "GOOGLE", "GH", "GITHUB", "GITLAB", "NPM", "PYPI", "TWINE", "DOCKER", "SSH", "GPG"),
        *("OPENAI", "ANTHROPIC", "SLACK", "STRIPE", "TWILIO", "VAULT", "HEROKU", "DATABRICKS", "SNOWFLAKE"),
    )
)
"""Words of such names, as they stand between underscores: values that hold credentials, and services that need them."""

CREDENTIALS = re.compile(r"://[^/\s@:]*:[^/\s@]*@")
"""A password in a value: no file of a project may ask for such a variable, whatever its name."""


def is_secret(name: str) -> bool:
    """Whether a variable of that name may hold a secret, as ``DB_URL`` may and ``LANG`` may not.

    What lies in the project's folder cannot ask for such a one.
    """
    upper = name.upper()
    return (
        any(part in upper for part in SECRET_PARTS)
        or upper.endswith(("URL", "URI", "DSN"))
        or not SECRET_WORDS.isdisjoint(upper.split("_"))
    )


HIDDEN = "[hidden]"
"""Stands in a record for what may be a secret."""


def hide_secrets(arguments: Sequence[str]) -> tuple[str, ...]:
    """Arguments of a program as a record holds them: ``--api-token=[hidden]``, ``--db=postgres://[hidden]@host``."""
    return tuple(_hidden(arguments))


def choose_arguments(given: Sequence[str], recorded: Sequence[str]) -> tuple[str, ...]:
    """The arguments that were given, else the recorded ones; ``UsageError`` where a record has left out a value."""
    left_out = next((each for each in recorded if HIDDEN in each), None)
    if not given and left_out is not None:
        raise UsageError(
            "The record leaves out what may be a secret among pytest's arguments",
            where=left_out,
            remedy="Give all of them in REPAIR_PYTEST_ARGS.",
        )
    return tuple(given or recorded)


def _hidden(arguments: Sequence[str]) -> Iterator[str]:
    is_value = False
    for each in arguments:
        name, equals, _ = each.partition("=")
        is_named = name.startswith("-") and any(part in name.upper() for part in SECRET_PARTS)
        if is_value and not each.startswith("-"):
            yield HIDDEN
        elif is_named and equals:
            yield f"{name}={HIDDEN}"
        else:
            yield CREDENTIALS.sub(f"://{HIDDEN}@", each)
        is_value = is_named and not equals
