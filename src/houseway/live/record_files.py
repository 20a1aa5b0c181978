"""The files of a server on this machine: its records and its signing key."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from houseway.audit.encrypted_store import with_secrets_key
from houseway.audit.signatures import Signer
from houseway.audit.store import HouseStore, StoreError
from houseway.audit.store_factory import open_store
from houseway.live.house_key import HouseKey, open_key


def data_folder() -> Path:
    """Return the user's data folder."""
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        named = os.environ.get("XDG_DATA_HOME", "")
        home = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"
    return home / "houseway"


def key_file(record: str | Path) -> Path:
    """Return the file with the signing key of a record: beside it, or in the user's data folder if the
    record is on a database server."""
    beside = data_folder() / "house" if "://" in str(record) else Path(record)
    return beside.with_name(f"{beside.name}.key")


def keep(record: str | Path | None, secrets_key: Path | None = None) -> tuple[HouseStore, Signer]:
    """Return the store and the signer of a record; without a record, both exist only in memory."""
    if record is None:
        return open_store(":memory:"), Signer(os.urandom(32))
    store, key = open_house(record, secrets_key=secrets_key)
    return store, key.signer


def open_house(
    record: str | Path,
    key: Path | None = None,
    *,
    new_key: bool = False,
    secrets_key: Path | None = None,
    shared: bool = False,
) -> tuple[HouseStore, HouseKey]:
    """Return the store of a record and its key, from the file `key` or from the usual place.

    `new_key` replaces a key that is lost. With `secrets_key`, the record's secrets are encrypted under the
    key in that file. With `shared`, other servers may use the store too. Raises StoreError if the store or
    the key cannot be used.

    Only the user's data folder is created if it does not exist. Any other missing folder is probably a
    typing error, and creating it would start an empty house.
    """
    path = key or key_file(record)
    try:
        for file in (path,) if "://" in str(record) else (Path(record).expanduser(), path):
            if file.parent == data_folder():
                file.parent.mkdir(parents=True, exist_ok=True)
            if not file.parent.is_dir():
                raise StoreError(f"there is no folder {file.parent} for {file.name}; create it first")
        store = with_secrets_key(open_store(record, shared=shared), secrets_key, writes=True)
        try:
            return store, open_key(store, path, new=new_key)
        except BaseException:
            store.close()
            raise
    except OSError as error:
        sentence = f"the record cannot be stored in {record}: {error.strerror}; choose another file"
        raise StoreError(sentence) from error
