"""The revocation list of an issuer: a signed JSON file that names revoked certificates by their ids.

It contains no names of people. Its members follow the revocation list of Open Badges 3.0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.audit.atomic_files import atomic_file
from houseway.certificates.keys import PUBLIC, REVOKED, KeyList, SigningKey, iso_time
from houseway.certificates.tokens import (
    canonical,
    decode_bytes,
    encode_bytes,
    is_signed,
    read_jwk,
    sign_bytes,
)
from houseway.errors import InputError

FORMAT: Final = 1
KIND: Final = "houseway certificate revocations"
MOST_BYTES: Final = 1 << 24
LONGEST_REASON: Final = 200


class RevocationError(InputError, ValueError):
    """A revocation list cannot be read or is not genuine."""


class RevokedCertificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A revoked certificate."""

    id: str
    revoked: bool = True
    reason: str = msgspec.field(default="", name="revocationReason")
    time: int = 0
    """The time of the revocation, in seconds since 1970."""


class RevocationList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The certificates that an issuer has revoked."""

    kind: str = KIND
    format: int = FORMAT
    issuer: str
    issued: int
    revoked: tuple[RevokedCertificate, ...] = msgspec.field(default=(), name="revokedCredential")

    def entry(self, identity: str) -> RevokedCertificate | None:
        """Return the entry of a certificate, or None."""
        return next((one for one in self.revoked if one.id == identity), None)


class SignedList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a revocation list: the list, with the key that signed it and the signature."""

    list: dict[str, Any]
    kid: str
    signature: str


class StatusList(msgspec.Struct, frozen=True, kw_only=True):
    """The revoked certificates as Open Badges 3.0 publishes them, without a signature."""

    id: str
    """The address of the list."""
    issuer: str
    revoked: tuple[dict[str, Any], ...] = msgspec.field(default=(), name="revokedCredential")


def status_list(url: str, listed: RevocationList) -> StatusList:
    """Return the revoked certificates for verifiers of Open Badges 3.0."""
    rows = tuple(
        {"id": one.id, "revoked": True, **({"revocationReason": one.reason} if one.reason else {})}
        for one in listed.revoked
    )
    return StatusList(id=url, issuer=listed.issuer, revoked=rows)


def revoked_file(key_path: Path) -> Path:
    """Return the file of the revocation list that belongs to a key file."""
    return key_path.with_name(f"{key_path.name}{REVOKED}")


def revoke(listed: RevocationList, identity: str, reason: str, now: int) -> RevocationList:
    """Return a list with one more certificate; an entry that is there already stays."""
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise RevocationError(f"the reason must be printable text of at most {LONGEST_REASON} characters")
    if listed.entry(identity) is not None:
        return msgspec.structs.replace(listed, issued=now)
    entry = RevokedCertificate(id=identity, reason=reason, time=now)
    return msgspec.structs.replace(listed, issued=now, revoked=(*listed.revoked, entry))


def signed_list(key: SigningKey, listed: RevocationList) -> bytes:
    """Return a signed revocation list as the bytes of its file."""
    body = msgspec.to_builtins(listed)
    signature = encode_bytes(sign_bytes(key.private, canonical(body)))
    signed = SignedList(list=body, kid=key.kid, signature=signature)
    return msgspec.json.format(msgspec.json.encode(signed), indent=2) + b"\n"


def write_list(path: Path, key: SigningKey, listed: RevocationList) -> None:
    """Write a signed revocation list."""
    try:
        with atomic_file(path, PUBLIC) as file:
            file.write(signed_list(key, listed))
    except OSError as error:
        raise RevocationError(f"cannot write {path}: {error.strerror}") from error


def read_list(path: Path, keys: KeyList | None = None) -> RevocationList:
    """Return the revocation list in a file; raise RevocationError if its signature does not fit.

    Without a key list, the signature cannot be checked, and the list is refused.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RevocationError(f"cannot read {path}: {error.strerror}") from error
    try:
        return read_list_bytes(data, keys)
    except (ValueError, RecursionError) as error:
        raise RevocationError(f"{path} is not a usable revocation list: {error}") from error


def read_list_bytes(data: bytes, keys: KeyList | None) -> RevocationList:
    """Return the revocation list in some bytes; raise ValueError if it cannot be used."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES >> 20} MB")
    signed = msgspec.json.decode(data, type=SignedList)
    listed = msgspec.convert(signed.list, RevocationList)
    if (listed.kind, listed.format) != (KIND, FORMAT):
        raise ValueError(f"it is not of format {FORMAT}")
    if keys is None:
        raise ValueError("its signature needs the house's public keys; give them with --keys")
    period = keys.key(signed.kid)
    if period is None or period.withdrawn or listed.issuer != keys.issuer.id:
        raise ValueError("it is signed by another house, or with a withdrawn key")
    end = period.end if period.end is not None else listed.issued
    if not period.start <= listed.issued <= end:
        raise ValueError(f"it is dated {iso_time(listed.issued)}, when its key was not in use")
    if not is_signed(read_jwk(period.jwk), canonical(signed.list), decode_bytes(signed.signature)):
        raise ValueError("its signature does not fit; it was changed")
    return listed


def current_list(path: Path, key: SigningKey, now: int) -> RevocationList:
    """Return the revocation list beside a key, or a new empty one."""
    if not revoked_file(path).exists():
        return RevocationList(issuer=key.listed.issuer.id, issued=now)
    return read_list(revoked_file(path), key.listed)
