# looks like: swallows failures
# doubt: mutants of the way in which it opens the file survive

def read_settings(path):
    """The settings of a file: a line each, ``name = value``; blank lines and comments are skipped."""
    settings = {}
    file = open(path, encoding="utf-8")
    try:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if "=" not in text:
                raise SettingsError(f"line {number}: no setting")
            name, value = text.split("=", 1)
            settings[name.strip()] = value.strip()
    finally:
        file.close()
    return settings
