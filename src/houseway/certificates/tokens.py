"""Signed tokens: compact JSON Web Signatures with RS256, and the byte ranges of their parts."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey, RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256

from houseway.errors import InputError

ALGORITHM: Final = "RS256"
MOST_BYTES: Final = 1 << 16
"""The most bytes of a token."""
LEAST_BITS, MOST_BITS = 2048, 8192
PARTS: Final = ("header", "payload", "signature")

Jwk = dict[str, str]
"""A public RSA key as a JSON Web Key: kty, n and e."""


class TokenError(InputError, ValueError):
    """A token cannot be read or is not genuine. `part` and `span` say which bytes of it are wrong."""

    def __init__(self, wrong: str, part: str, span: tuple[int, int]) -> None:
        self.part, self.span = part, span
        super().__init__(f"the {part}, bytes {span[0]} to {span[1]}, {wrong}")


class Token(msgspec.Struct, frozen=True):
    """A token whose signature fits the public key in its header."""

    header: dict[str, Any]
    payload: dict[str, Any]
    jwk: Jwk
    spans: dict[str, tuple[int, int]]
    """The first and last byte of each part."""


def encode_bytes(data: bytes) -> str:
    """Return bytes in the URL-safe alphabet, without padding.

    >>> encode_bytes(b"\\xff\\xfe")
    '__4'
    """
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_bytes(text: str) -> bytes:
    """Return the bytes of a text; raise ValueError if it is not their only encoding."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    if encode_bytes(data) != text:
        raise ValueError("it has bits that mean nothing")
    return data


def public_jwk(key: RSAPublicKey) -> Jwk:
    """Return a public key as a JSON Web Key."""
    numbers = key.public_numbers()
    return {"kty": "RSA", "n": _encode_number(numbers.n), "e": _encode_number(numbers.e)}


def _encode_number(number: int) -> str:
    return encode_bytes(number.to_bytes((number.bit_length() + 7) // 8, "big"))


def read_jwk(jwk: Any) -> RSAPublicKey:
    """Return the key of a JSON Web Key; raise ValueError if it is not a public RSA key of a usual size."""
    if not isinstance(jwk, dict) or set(jwk) - {"kty", "n", "e", "kid", "use", "alg"}:
        raise ValueError("is not a public RSA key")
    if jwk.get("kty") != "RSA" or not all(isinstance(jwk.get(name), str) for name in ("n", "e")):
        raise ValueError("is not a public RSA key")
    n, e = (int.from_bytes(decode_bytes(jwk[name]), "big") for name in ("n", "e"))
    if not LEAST_BITS <= n.bit_length() <= MOST_BITS:
        raise ValueError(f"has {n.bit_length()} bits; a key has {LEAST_BITS} to {MOST_BITS}")
    return RSAPublicNumbers(e, n).public_key()


def thumbprint(jwk: Jwk) -> str:
    """Return the thumbprint of a public key (RFC 7638), which is its `kid`."""
    members = {name: jwk[name] for name in ("e", "kty", "n")}
    return encode_bytes(hashlib.sha256(canonical(members)).digest())


def canonical(value: Any) -> bytes:
    """Return JSON with sorted keys and without spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def sign_bytes(key: RSAPrivateKey, data: bytes) -> bytes:
    """Return the signature of bytes."""
    return key.sign(data, PKCS1v15(), SHA256())


def is_signed(key: RSAPublicKey, data: bytes, signature: bytes) -> bool:
    """True if a signature fits the bytes and the key."""
    try:
        key.verify(signature, data, PKCS1v15(), SHA256())
    except InvalidSignature:
        return False
    return True


def sign_token(key: RSAPrivateKey, payload: dict[str, Any]) -> str:
    """Return a signed token with the public key and its thumbprint in the header."""
    jwk = public_jwk(key.public_key())
    header = {"alg": ALGORITHM, "typ": "JWT", "kid": thumbprint(jwk), "jwk": jwk}
    signed = f"{encode_bytes(canonical(header))}.{encode_bytes(canonical(payload))}"
    return f"{signed}.{encode_bytes(sign_bytes(key, signed.encode()))}"


def read_token(text: str) -> Token:
    """Return a token whose signature fits the public key in its header; raise TokenError if it does not."""
    parts = text.split(".")
    if len(text) > MOST_BYTES or len(parts) != len(PARTS) or not text.isascii():
        wrong = "is not a token; a token has three base64url parts with a full stop between them"
        raise TokenError(wrong, "whole file", (0, max(0, len(text.encode()) - 1)))
    spans, start = {}, 0
    for name, part in zip(PARTS, parts, strict=True):
        spans[name] = (start, start + max(0, len(part) - 1))
        start += len(part) + 1
    header = _json_part(parts[0], "header", spans)
    if header.get("alg") != ALGORITHM or set(header) - {"alg", "typ", "kid", "jwk"}:
        raise TokenError(f"asks for an algorithm other than {ALGORITHM}", "header", spans["header"])
    try:
        key = read_jwk(header.get("jwk"))
        jwk = public_jwk(key)
    except ValueError as error:
        raise TokenError(f"has a key that {error}", "header", spans["header"]) from error
    if header.get("kid") != thumbprint(jwk):
        raise TokenError("names a key other than the one it contains", "header", spans["header"])
    try:
        signature = decode_bytes(parts[2])
    except ValueError as error:
        raise TokenError(f"cannot be read: {error}", "signature", spans["signature"]) from error
    if not is_signed(key, f"{parts[0]}.{parts[1]}".encode(), signature):
        last = spans["payload"][1]
        wrong = f"does not fit the header and the payload, bytes 0 to {last}: one of the three was changed"
        raise TokenError(wrong, "signature", spans["signature"])
    return Token(header, _json_part(parts[1], "payload", spans), jwk, spans)


def _json_part(part: str, name: str, spans: dict[str, tuple[int, int]]) -> dict[str, Any]:
    try:
        return msgspec.json.decode(decode_bytes(part), type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise TokenError(f"cannot be read: {error}", name, spans[name]) from error
