"""Networks from text: one road per line, `A - B: 5` or `A > B: 5`."""

import re

from .network import Network

LINE = re.compile(r"^(.+?)\s*([->])\s*(.+?)\s*:\s*(\d+(?:\.\d+)?)$")


def read_map(text):
    network = Network()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        match = LINE.match(line)
        if match is None:
            raise ValueError(f"line {number}: cannot read {line!r}")
        a, kind, b, price = match.groups()
        price = float(price) if "." in price else int(price)
        network.add_road(a, b, price, one_way=kind == ">")
    return network
