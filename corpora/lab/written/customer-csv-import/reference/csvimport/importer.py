"""Read customer lists and the like from CSV, row by row."""
import csv
import io

from .report import Report, RowError


class ImportAborted(Exception):
    """The file cannot be imported at all."""

    def __init__(self, message, report=None):
        super().__init__(message)
        self.report = report


class Importer:
    """Imports CSV text according to a list of fields.

    Rows with errors are rejected: they are reported and leave no trace in the
    result.  The importer remembers the unique values of everything it has
    imported, so several files can be imported one after the other;
    ``known`` gives values that exist already, e.g. in the database, as
    a dict of column name to values.
    """

    def __init__(self, fields, delimiter=",", max_rejected=None, known=None):
        self.fields = list(fields)
        self.delimiter = delimiter
        self.max_rejected = max_rejected
        self._seen = {f.name: set() for f in self.fields if f.unique}
        for name, values in (known or {}).items():
            self._seen[name].update(values)

    def run(self, text):
        """Import ``text``, return a Report."""
        reader = csv.reader(io.StringIO(text), delimiter=self.delimiter)
        header = self._read_header(reader)
        report = Report()
        rejected = 0
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            row = dict(zip(header, cells))
            record, errors = self._validate(row, reader.line_num)
            if errors:
                report.errors.extend(errors)
                rejected += 1
                if self.max_rejected is not None and rejected > self.max_rejected:
                    raise ImportAborted("too many rejected rows", report)
            else:
                report.records.append(record)
        return report

    def _read_header(self, reader):
        try:
            header = [name.strip().lower() for name in next(reader)]
        except StopIteration:
            raise ImportAborted("file is empty") from None
        missing = [f.name for f in self.fields if f.name not in header]
        if missing:
            raise ImportAborted("missing columns: " + ", ".join(missing))
        return header

    def _validate(self, row, line):
        """Check one row against all fields.

        Returns the record, a dict of column name to parsed value, and the
        list of all errors in the row, in the order of the fields.
        """
        record = {}
        errors = []
        fresh = []
        for f in self.fields:
            text = row.get(f.name, "").strip()
            if not text:
                if f.required:
                    errors.append(RowError(line, f.name, "is required"))
                record[f.name] = f.default
                continue
            try:
                value = f.parse(text)
            except ValueError as exc:
                errors.append(RowError(line, f.name, str(exc)))
                continue
            message = f.check(value) if f.check else None
            if message:
                errors.append(RowError(line, f.name, message))
            if f.unique:
                if value in self._seen[f.name]:
                    errors.append(RowError(line, f.name, f"{value!r} occurs twice"))
                fresh.append((f.name, value))
            record[f.name] = value
        if not errors:
            for name, value in fresh:
                self._seen[name].add(value)
        return record, errors
