"""Bytes of a file as text."""

from __future__ import annotations

import codecs

__all__ = ["decode", "has_mark"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


def has_mark(raw: bytes) -> bool:
    """Whether a file begins with a byte-order mark."""
    return raw.startswith(tuple(mark for mark, _ in _MARKS))


def decode(raw: bytes) -> str:
    """Text of a file: by its byte-order mark, else as UTF-8, else as Latin 1, which no byte fails.

    What follows a mark and is no text of its kind, such as a file cut within a letter, stands as a question mark.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return raw.decode(encoding, errors="replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
