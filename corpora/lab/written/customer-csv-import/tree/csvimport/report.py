from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class RowError:
    line: int
    column: str
    message: str

    def __str__(self):
        return f"line {self.line}, {self.column}: {self.message}"


@dataclass
class Report:
    """What came out of an import."""

    records: list = field(default_factory=list)
    errors: list = field(default_factory=list)

    @property
    def ok(self):
        return not self.errors

    def rejected_lines(self):
        """Numbers of the lines with errors, each once, in file order."""
        return sorted({error.line for error in self.errors})

    def errors_by_column(self):
        return dict(Counter(error.column for error in self.errors))

    def summary(self):
        return (
            f"{len(self.records)} imported, "
            f"{len(self.rejected_lines())} rejected"
        )
