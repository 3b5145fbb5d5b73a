import sqlite3

SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (
    name      TEXT PRIMARY KEY,
    overdraft INTEGER NOT NULL DEFAULT 0,
    closed    INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS transfers (
    id  INTEGER PRIMARY KEY,
    ref TEXT NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS entries (
    id       INTEGER PRIMARY KEY,
    transfer INTEGER NOT NULL REFERENCES transfers(id),
    account  TEXT NOT NULL REFERENCES accounts(name),
    cents    INTEGER NOT NULL
);
"""


def connect(path=":memory:"):
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    db.executescript(SCHEMA)
    return db
