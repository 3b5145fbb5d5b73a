"""PackBits run-length coding.

A packet starts with a header byte n:

* 0 to 127: n + 1 literal bytes follow
* 129 to 255: the one byte that follows is repeated 257 - n times
* 128: nothing, skip it
"""

MAX_PACKET = 128


class CodecError(ValueError):
    """The data is no valid PackBits stream."""


def run_length(data: bytes, start: int) -> int:
    """How often the byte at start is repeated from there (128 at most)."""
    end = start
    while end < len(data) and end - start < MAX_PACKET and data[end] == data[start]:
        end += 1
    return end - start


def encode(data: bytes) -> bytes:
    """Encode data; runs of two are only packed outside of literals."""
    out = bytearray()
    literal = bytearray()

    def flush() -> None:
        if literal:
            out.append(len(literal) - 1)
            out.extend(literal)
            literal.clear()

    i = 0
    while i < len(data):
        run = run_length(data, i)
        if run > 2 or (run == 2 and not literal):
            flush()
            out.append(257 - run)
            out.append(data[i])
            i += run
        else:
            literal.append(data[i])
            i += 1
            if len(literal) == MAX_PACKET:
                flush()
    flush()
    return bytes(out)


def decode(data: bytes) -> bytes:
    """Decode a PackBits stream.

    Raises CodecError if the data ends in the middle of a packet.
    """
    out = bytearray()
    i = 0
    while i < len(data):
        n = data[i]
        i += 1
        if n < 128:
            if i + n + 1 > len(data):
                raise CodecError("literal is cut off")
            out += data[i:i + n + 1]
            i += n + 1
        elif n > 128:
            if i >= len(data):
                raise CodecError("run without a byte")
            out += data[i:i + 1] * (257 - n)
            i += 1
    return bytes(out)


def ratio(data: bytes) -> float:
    """Encoded size by original size; 1.0 for no data."""
    if not data:
        return 1.0
    return len(encode(data)) / len(data)
