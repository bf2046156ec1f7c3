"""Canonical JSON (RFC 8785), as every part of Plimsoll writes it, and a keyed digest of a step's arguments."""

import hashlib
import hmac
import json
import math
from decimal import Decimal


def digest_of(value, key):
    """HMAC-SHA-256, in hex, of the canonical JSON of `value`. Without the key nobody can check a guess."""
    return hmac.new(key, canonical(value).encode("utf-8"), hashlib.sha256).hexdigest()


def salted_digest(value, salt):
    """SHA-256, in hex, of `salt` and the digest of `value`. Only a reader with both can check it."""
    plain = hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()
    return hashlib.sha256((salt + plain).encode("ascii")).hexdigest()


def canonical(value):
    """JSON without spaces, members sorted by the UTF-16 code units of their names, numbers as ECMAScript writes them.

    Raises ValueError for what JSON cannot hold: infinities, NaN, names that are no text.
    """
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number(float(value))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        # json.dumps(sort_keys=True) sorts by code points, which differs from UTF-16 beyond the basic plane.
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        members = (f"{canonical(name)}:{canonical(value[name])}" for name in names)
        return "{" + ",".join(members) + "}"
    raise ValueError(f"{type(value).__name__} has no place in JSON")


def number(value):
    """A float as ECMAScript writes it: `1`, not `1.0`; `1e-7`, not `1e-07`; `10000000000000000`, not `1e+16`."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no place in JSON")
    if value == 0:
        return "0"
    # repr gives the shortest digits that read back the same, as ECMAScript does; only their layout differs.
    negative, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if 0 < point <= 21:
        body = text.ljust(point, "0") if point >= len(text) else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        body = "0." + "0" * -point + text
    else:
        mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
        body = f"{mantissa}e{point - 1:+d}"
    return "-" * negative + body
