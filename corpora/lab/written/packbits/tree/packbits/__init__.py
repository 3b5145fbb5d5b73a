from packbits.codec import CodecError, decode, encode

__all__ = ["CodecError", "decode", "encode"]
