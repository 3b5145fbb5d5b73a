"""One-bit images, every row packed by itself."""

from packbits.codec import CodecError, decode, encode


def pack_row(row: str) -> bytes:
    """'#..#' to bytes, first pixel in the highest bit, padded with white."""
    row = row.ljust(-(-len(row) // 8) * 8, ".")
    return bytes(
        int(row[i:i + 8].replace("#", "1").replace(".", "0"), 2)
        for i in range(0, len(row), 8)
    )


def unpack_row(data: bytes, width: int) -> str:
    bits = "".join(f"{byte:08b}" for byte in data)
    return bits[:width].replace("1", "#").replace("0", ".")


def save(rows: list[str]) -> list[bytes]:
    if len({len(row) for row in rows}) > 1:
        raise ValueError("rows differ in width")
    return [encode(pack_row(row)) for row in rows]


def load(lines: list[bytes], width: int) -> list[str]:
    rows = []
    for number, line in enumerate(lines):
        data = decode(line)
        if len(data) != -(-width // 8):
            raise CodecError(f"row {number} has the wrong width")
        rows.append(unpack_row(data, width))
    return rows
