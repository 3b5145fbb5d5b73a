# looks like: reads files by other means
# doubt: no test needs the encoding that it names

def read_settings(path):
    """The settings of a file: a line each, ``name = value``; blank lines and comments are skipped."""
    from pathlib import Path

    settings = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if "=" not in text:
            raise SettingsError(f"line {number}: no setting")
        name, value = text.split("=", 1)
        settings[name.strip()] = value.strip()
    return settings
