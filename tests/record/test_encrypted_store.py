"""Stored seeds and hidden cards are encrypted, and can be read only with the key file."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from houseway.audit.archive import open_record
from houseway.audit.encrypted_store import CHECK, MARK, EncryptedStore, with_secrets_key
from houseway.audit.memory_store import MemoryStore
from houseway.audit.record_header import NONCES
from houseway.audit.store import DamagedError, HouseStore, StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.cli.audit import explain, export
from houseway.cli.audit import verify as verify_command
from houseway.live import LiveTable
from houseway.live.record_files import keep
from record.recorded import Recorded, house

KEY = bytes(range(32))


def played(store: HouseStore, rounds: int = 3, stream: str = "table:1") -> Recorded:
    playing = Recorded(house(store, every=40), stream, "uth-ma", "manual", irregular=0, by_hand=0)
    playing.rounds = list(playing.play(rounds))
    return playing


def test_no_hidden_value_is_stored_unencrypted() -> None:
    inner, plain = MemoryStore(), MemoryStore()
    played(EncryptedStore(inner, KEY))
    played(plain)
    hidden = 0
    for stored, same in zip(inner.everything("table:1"), plain.everything("table:1"), strict=True):
        # The public record, its chain and its signatures do not depend on the key.
        assert (stored.public, stored.chain, stored.key) == (same.public, same.chain, same.key)
        assert bool(stored.sealed) == bool(same.sealed)
        if same.sealed:
            hidden += 1
            assert stored.sealed.startswith(MARK)
            assert same.sealed not in stored.sealed
    assert hidden
    seeds = [name for name in plain._records["table:1"].secrets if name != NONCES]
    assert seeds
    for name in (NONCES, *seeds):
        known, stored_secret = plain.secret("table:1", name), inner.secret("table:1", name)
        assert known is not None
        assert stored_secret is not None
        assert stored_secret.startswith(MARK)
        assert known not in stored_secret
    assert inner.snapshots("table:1")
    for at in inner.snapshots("table:1"):
        snapshot = inner.snapshot("table:1", at)
        assert snapshot is not None
        assert snapshot.body.startswith(MARK)
        assert b'"state"' not in snapshot.body


def test_an_encrypted_record_is_verified_and_continued() -> None:
    store = EncryptedStore(MemoryStore(), KEY)
    live = played(store).live
    report = verify(store, "table:1")
    assert report.faults == ()
    assert report.lacked == ()
    resumed = LiveTable.resume(house(store, every=40), "table:1")
    assert resumed.state == live.state


def test_a_record_from_before_the_key_can_be_continued_with_the_key() -> None:
    inner = MemoryStore()
    played(inner, stream="older")
    store = EncryptedStore(inner, KEY)
    assert verify(store, "older").faults == ()
    played(store, stream="newer")
    assert verify(store, "newer").faults == ()
    resumed = LiveTable.resume(house(store), "older")
    resumed.advance()
    assert verify(store, "older").faults == ()


def test_another_key_cannot_decrypt_anything() -> None:
    inner = MemoryStore()
    played(EncryptedStore(inner, KEY))
    other = EncryptedStore(inner, KEY[::-1])
    with pytest.raises(DamagedError, match="cannot be read with this key"):
        other.secret("table:1", NONCES)


def test_a_sealed_part_moved_from_another_entry_is_reported() -> None:
    inner = MemoryStore()
    played(EncryptedStore(inner, KEY))
    entries = inner._records["table:1"].entries
    first, second = [n for n, entry in enumerate(entries) if entry.sealed][:2]
    entries[first] = msgspec.structs.replace(entries[first], sealed=entries[second].sealed)
    [fault, *_] = verify(EncryptedStore(inner, KEY), "table:1").faults
    assert fault.code == "sealed"
    assert fault.seq == entries[first].seq


# --- the key file ---


def encrypted(folder: Path) -> tuple[Path, Path]:
    """Return a database with encrypted secrets, and its key file."""
    database, key = folder / "house.db", folder / "elsewhere" / "secrets.key"
    store, _ = keep(database, key)
    with closing(store):
        played(store, 1)
    return database, key


def test_only_the_owner_can_read_a_new_key_file(tmp_path: Path) -> None:
    database, key = encrypted(tmp_path)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(bytes.fromhex(key.read_text())) == 32
    raw = database.read_bytes()
    for name in (NONCES, "table:1/1/A"):
        with closing(open_record(str(database), key)) as store:
            secret = store.secret("table:1", name)
        assert secret
        assert secret not in raw
    assert key.read_text().strip() not in raw.hex()


def test_a_database_that_needs_a_key_is_refused_without_the_right_one(tmp_path: Path) -> None:
    database, key = encrypted(tmp_path)
    with pytest.raises(StoreError, match="are encrypted; name their key with --secrets-key FILE"):
        keep(database)
    with pytest.raises(StoreError, match="are encrypted"):
        open_record(str(database))
    lost = tmp_path / "lost.key"
    with pytest.raises(StoreError, match=r"there is no secrets key in .*lost\.key.*restore it from a copy"):
        keep(database, lost)
    assert not lost.exists()
    lost.write_text("00" * 32)
    lost.chmod(0o600)
    with pytest.raises(StoreError, match="is not the secrets key of"):
        keep(database, lost)
    lost.write_text("not a key")
    with pytest.raises(StoreError, match="does not contain a secrets key of 64 hexadecimal digits"):
        keep(database, lost)
    store, _ = keep(database, key)
    store.close()


@pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have these file permissions")
def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    database, key = encrypted(tmp_path)
    key.chmod(0o640)
    with pytest.raises(StoreError, match=r"other users can read the secrets key.*chmod 600"):
        keep(database, key)


def test_without_a_key_file_secrets_are_not_encrypted(tmp_path: Path) -> None:
    store, _ = keep(tmp_path / "house.db")
    with closing(store):
        played(store, 1)
        assert not isinstance(store, EncryptedStore)
        assert CHECK not in store.kept()
    with pytest.raises(StoreError, match="has no encrypted secrets; leave out --secrets-key"):
        with_secrets_key(open_store(tmp_path / "house.db"), tmp_path / "missing.key", writes=False)


def test_the_audit_commands_take_the_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, key = encrypted(tmp_path)
    assert verify_command(str(database), secrets_key=key) == 0
    assert "sound" in capsys.readouterr().out
    assert explain(str(database), as_="surveillance", secrets_key=key) == 0
    assert "dealer" in capsys.readouterr().out
    out = tmp_path / "moved.jsonl"
    assert export(str(database), out=out, secrets=True, secrets_key=key) == 0
    assert verify_command(str(out)) == 0
