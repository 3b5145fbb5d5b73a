"""Settings in plain files."""


class SettingsError(Exception):
    """A line is no setting."""


def read_settings(path):
    """The settings of a file: a line each, ``name = value``; blank lines and comments are skipped."""
    settings = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if "=" not in text:
                raise SettingsError(f"line {number}: no setting")
            name, value = text.split("=")[:2]
            settings[name.strip()] = value.strip()
    return settings


def write_settings(path, settings):
    """Write them so that they can be read again."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{name} = {value}\n" for name, value in settings.items())
