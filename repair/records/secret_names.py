"""Variables that may hold a secret, by their names and by their values: only the user hands them to tests."""

from __future__ import annotations

import re

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

CREDENTIALS = re.compile(r"://[^/\s@]*:[^/\s@]*@")
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
