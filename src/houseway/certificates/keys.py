"""The key that signs certificates. It is separate from the key that signs the house's records.

The private key is in a file that only its owner can read. Beside it is the public key list: the issuer's
name, and every public key with the period in which it signed. Verifiers need only this list.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

import msgspec
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from houseway.audit.atomic_files import atomic_file
from houseway.certificates.tokens import LEAST_BITS, MOST_BITS, Jwk, public_jwk, read_jwk, thumbprint
from houseway.errors import InputError

BITS: Final = 2048
EXPONENT: Final = 65537
FORMAT: Final = 1
KIND: Final = "houseway certificate keys"
OTHERS: Final = 0o077
"""The permissions of users other than the owner of a file."""
PRIVATE, PUBLIC = 0o600, 0o644
REVOKED: Final = ".revoked.json"
"""The ending of the revocation list beside a key."""
NEXT: Final = ".next"
"""The ending of a file that replaces another one at the end of a rotation."""
MOST_BYTES: Final = 1 << 18
MOST_KEYS: Final = 200
LONGEST_NAME: Final = 100


class KeyFileError(InputError, ValueError):
    """A key file cannot be used; the message says what to do."""


class Issuer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The house that signs."""

    id: str
    name: str
    url: str = ""
    status: str = ""
    """The https address at which the house publishes its revoked certificates; empty if there is none."""


class PublicKeyPeriod(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A public key, and the time in which it signed. Times are in seconds since 1970."""

    kid: str
    jwk: Jwk
    start: int
    end: int | None = None
    """The time at which another key replaced it; None for the current key."""
    withdrawn: bool = False
    """True if the key was stolen, so that nothing that it signed counts."""


class KeyList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public keys of an issuer, the oldest first."""

    kind: str
    format: int
    issuer: Issuer
    keys: tuple[PublicKeyPeriod, ...]

    def key(self, kid: str) -> PublicKeyPeriod | None:
        """Return a key by its thumbprint, or None."""
        return next((one for one in self.keys if one.kid == kid), None)


class SigningKey(msgspec.Struct, frozen=True):
    """The private key of an issuer, with its public key list."""

    private: RSAPrivateKey
    listed: KeyList

    @property
    def kid(self) -> str:
        """The thumbprint of the key."""
        return thumbprint(public_jwk(self.private.public_key()))


def public_file(path: Path) -> Path:
    """Return the file of the public key list that belongs to a key file."""
    return path.with_name(f"{path.name}.public.json")


def iso_time(seconds: int) -> str:
    """Return a time as a date and time in UTC.

    >>> iso_time(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def create_key(path: Path, name: str, now: int, url: str = "", status: str = "") -> SigningKey:
    """Write a new key and its public list; raise KeyFileError if a file is already there."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise KeyFileError(f"the issuer's name must be printable text of 1 to {LONGEST_NAME} characters")
    for address in (url, status):
        _check_address(address)
    for file in (path, public_file(path)):
        if file.exists():
            raise KeyFileError(f"{file} exists already; use another name, or rotate the key")
    private = generate_private_key(EXPONENT, BITS)
    issuer = Issuer(id=url or f"urn:uuid:{uuid4()}", name=name.strip(), url=url, status=status)
    listed = KeyList(kind=KIND, format=FORMAT, issuer=issuer, keys=(_period(private, now),))
    _write_private(path, private, new=True)
    _write_list(path, listed)
    return SigningKey(private, listed)


def _check_address(url: str) -> None:
    if url and not url.startswith("https://"):
        raise KeyFileError(f"the issuer's address must start with https:// (got {url!r})")


def set_status(path: Path, url: str) -> SigningKey:
    """Write the address of the revoked certificates to the public list of a key."""
    _check_address(url)
    key = read_key(path)
    listed = msgspec.structs.replace(
        key.listed, issuer=msgspec.structs.replace(key.listed.issuer, status=url)
    )
    _write_list(path, listed)
    return SigningKey(key.private, listed)


def next_file(path: Path) -> Path:
    """Return the file that replaces another one at the end of a rotation."""
    target = path.resolve()
    return target.with_name(f"{target.name}{NEXT}")


def rotate_key(
    path: Path, now: int, *, withdraw: bool = False, sign: Callable[[SigningKey], None] | None = None
) -> SigningKey:
    """Replace the key by a new one, and keep the old public key with its period.

    With `withdraw`, certificates of the old key no longer count. `sign` writes the `next_file` of the
    revocation list with the new key. The rotation takes effect when the public list is written. If the
    program stops before that, the old key stays current; if it stops later, `read_key` finishes the
    rotation.
    """
    key = read_key(path)
    for file in _replaced(path):
        next_file(file).unlink(missing_ok=True)
    private = generate_private_key(EXPONENT, BITS)
    ended = tuple(
        msgspec.structs.replace(one, end=now, withdrawn=one.withdrawn or withdraw)
        if one.kid == key.kid
        else one
        for one in key.listed.keys
    )
    listed = msgspec.structs.replace(key.listed, keys=(*ended, _period(private, now)))
    made = SigningKey(private, listed)
    _write_private(next_file(path), private)
    if sign is not None:
        sign(made)
    _write_list(path, listed)
    _finish_rotation(path)
    return made


def _replaced(path: Path) -> tuple[Path, Path]:
    """Return the files that a rotation replaces after the public list; the key is the last one."""
    return path.with_name(f"{path.name}{REVOKED}"), path


def _finish_rotation(path: Path) -> None:
    """Put the new files of a rotation in their places."""
    for file in _replaced(path):
        try:
            # Another process that reads the key may have finished the rotation.
            with suppress(FileNotFoundError):
                os.replace(next_file(file), file.resolve())
        except OSError as error:
            raise KeyFileError(f"cannot write {file}: {error.strerror}") from error


def _period(private: RSAPrivateKey, now: int) -> PublicKeyPeriod:
    jwk = public_jwk(private.public_key())
    return PublicKeyPeriod(kid=thumbprint(jwk), jwk=jwk, start=now)


def _write_private(path: Path, private: RSAPrivateKey, *, new: bool = False) -> None:
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with atomic_file(path, PRIVATE, new=new) as file:
            file.write(pem)
    except OSError as error:
        raise KeyFileError(f"cannot write {path}: {error.strerror}") from error


def _write_list(path: Path, listed: KeyList) -> None:
    text = msgspec.json.format(msgspec.json.encode(listed), indent=2) + b"\n"
    try:
        with atomic_file(public_file(path), PUBLIC) as file:
            file.write(text)
    except OSError as error:
        raise KeyFileError(f"cannot write {public_file(path)}: {error.strerror}") from error


def read_key(path: Path) -> SigningKey:
    """Return the current key in a file; raise KeyFileError if other users can read it.

    If a rotation was interrupted after it took effect, finish it first.
    """
    key = _read_pair(path, path)
    if not _is_current(key) and next_file(path).exists() and _is_current(_read_pair(next_file(path), path)):
        _finish_rotation(path)
        key = _read_pair(path, path)
    if not _is_current(key):
        wrong = f"the key in {path} is not the current key of {public_file(path)}"
        raise KeyFileError(f"{wrong}; use the pair of files that belong together")
    return key


def _is_current(key: SigningKey) -> bool:
    period = key.listed.key(key.kid)
    return period is not None and period.end is None


def _read_pair(path: Path, named: Path) -> SigningKey:
    """Return the private key in a file, with the public list of the key file `named`."""
    try:
        readable = os.name == "posix" and bool(path.stat().st_mode & OTHERS)
        private = load_pem_private_key(_read(path), password=None)
    except OSError as error:
        raise KeyFileError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise KeyFileError(
            f"{path} does not contain a private key; create one with houseway certificate key"
        ) from error
    if readable:
        raise KeyFileError(f"other users of this machine can read {path}; run: chmod 600 {path}")
    if not isinstance(private, RSAPrivateKey) or not LEAST_BITS <= private.key_size <= MOST_BITS:
        raise KeyFileError(f"{path} is not an RSA key of at least {LEAST_BITS} bits; create a new one")
    return SigningKey(private, read_key_list(public_file(named)))


def read_key_list(path: Path) -> KeyList:
    """Return a public key list; raise KeyFileError if the file is not one."""
    try:
        listed = msgspec.json.decode(_read(path), type=KeyList)
    except OSError as error:
        raise KeyFileError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise KeyFileError(f"{path} is not a public key list: {error}; ask the house for it") from error
    problem = _list_problem(listed)
    if problem:
        raise KeyFileError(f"{path} is not a public key list: {problem}; ask the house for it")
    return listed


def _list_problem(listed: KeyList) -> str:
    if (listed.kind, listed.format) != (KIND, FORMAT):
        return f"it is not of format {FORMAT}"
    if not 1 <= len(listed.keys) <= MOST_KEYS:
        return f"it has {len(listed.keys)} keys"
    for one in listed.keys:
        try:
            kid = thumbprint(public_jwk(read_jwk(one.jwk)))
        except ValueError as error:
            return f"the key {one.kid!r} {error}"
        if kid != one.kid:
            return f"the key {one.kid!r} has another thumbprint"
    return ""


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"the file is larger than {MOST_BYTES >> 10} KB")
    return data
