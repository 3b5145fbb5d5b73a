from pathlib import Path

from .errors import CycleError, MissingFile
from .syntax import Include, Section, Setting, statements


class Loader:
    """Reads configuration files into a flat dict ("section.key": value).

    A loader can be used for any number of files, also after an error.
    """

    def __init__(self, search_path=()):
        self.search_path = [Path(p) for p in search_path]
        self._reading = []      # the files being read now, outermost first

    def load(self, path):
        """Read `path` with everything it includes and return the settings."""
        config = {}
        self._read(Path(path), config)
        return config

    def find(self, target, base):
        """Look for an included file next to the including one, then along
        the search path. Returns None if it is nowhere."""
        for folder in [base, *self.search_path]:
            candidate = folder / target
            if candidate.is_file():
                return candidate
        return None

    def _read(self, path, config):
        """Read one file into `config`.

        An include is carried out at the place where it stands: settings in
        the included file replace earlier ones, settings further down replace
        those. The same file may well be included in several places, each of
        them counts; only a file that (directly or through others) includes
        itself is an error. Every file starts outside of any section, and an
        include does not change the section of the including file.
        """
        path = path.resolve()
        if path in self._reading:
            start = self._reading.index(path)
            raise CycleError(self._reading[start:] + [path])
        if not path.is_file():
            raise MissingFile(path)
        self._reading.append(path)
        section = ""
        for stmt in statements(path.read_text(encoding="utf-8")):
            if isinstance(stmt, Section):
                section = stmt.name + "."
            elif isinstance(stmt, Setting):
                config[section + stmt.key] = stmt.value
            elif isinstance(stmt, Include):
                found = self.find(stmt.target, path.parent)
                if found is not None:
                    self._read(found, config)
                elif not stmt.optional:
                    raise MissingFile(path.parent / stmt.target)


def load(path, search_path=()):
    return Loader(search_path).load(path)
