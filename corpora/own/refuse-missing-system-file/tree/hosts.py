"""Names of machines, from a table that the site keeps."""

TABLE = "/etc/example-site/hosts.table"


def parse(text):
    """{name: address}; lines hold an address and names, the rest of a line behind # is a remark."""
    found = {}
    for line in text.splitlines():
        address, *names = line.partition("#")[0].split() or [""]
        found.update(dict.fromkeys(names, address))
    return found


def site_hosts():
    with open(TABLE, encoding="utf-8") as file:
        return parse(file.read())
