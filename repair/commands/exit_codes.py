"""What the exit statuses of each group of commands mean, as their help says it."""

EXIT_CODES = """\b
Exit codes:
  0    accepted: certified (or plausible with --accept plausible)
  1    ran, nothing accepted
  2    usage or configuration
  3    the target cannot be tested
  4    model backend
  5    nothing fails
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

EXPLAIN_EXIT_CODES = EXIT_CODES.replace(
    """\
  0    accepted: certified (or plausible with --accept plausible)
  1    ran, nothing accepted
""",
    """\
  0    diagnosed
  1    ran, and no function can be at fault: the answer says why
""",
)

PLAIN_EXIT_CODES = """\b
Exit codes:
  0    done
  1    refused: a file is no longer what the run read
  2    usage or configuration, or no such run
  3    the project cannot be read or written
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

TESTS_EXIT_CODES = """\b
Exit codes:
  0    no finding that counts
  1    findings that count
  2    usage or configuration
  3    the target cannot be tested
  70   a defect of repair
  130  interrupted (143 by SIGTERM)
"""

DOCTOR_EXIT_CODES = """\b
Exit codes:
  0    the main job can run here
  2    usage or configuration
  3    the main job cannot run here: the answer says what is missing
  70   a defect of repair
"""
