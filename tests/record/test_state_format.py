"""Only snapshots in the current format are used. The format number must change if the state or its fold functions change."""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import tokenize
from types import ModuleType

import pytest

from houseway.audit.archive import Archive
from houseway.audit.memory_store import MemoryStore
from houseway.audit.snapshot_body import read_snapshot
from houseway.audit.verify import verify
from houseway.engine import apply_card_events, apply_wager_events, fold_registry, state
from houseway.engine.events import WagerSettled
from houseway.engine.state import STATE_FORMAT
from houseway.live import LiveTable
from houseway.server.replays import Replays
from record.recorded import SIGNER, copy_records, house, recorded
from record.test_golden import GOLDEN

FORMATS = {
    2: "2580913a878741dade89947b2bb6bd056c2147f25f92ebaaf6ea0e1abda4a1d6",
    3: "07d15875dad58209205a1c66e7c9217a7bcd75c788a85f20086c511de555eecf",
}
"""For each format, the hash of the definition of the state and of its fold functions."""
MODULES = (state, fold_registry, apply_card_events, apply_wager_events)
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
STREAM = "table:1"


def code_of(part: ModuleType | type) -> str:
    """Return the source of a module or class without comments, docstrings and spaces."""
    kept, new_line = [], True
    for token in tokenize.generate_tokens(io.StringIO(inspect.getsource(part)).readline):
        docstring = token.type == tokenize.STRING and new_line
        if token.type not in SKIPPED and not docstring:
            kept.append(token.string)
        new_line = token.type in SKIPPED if not docstring else False
    return "".join(kept)


def test_the_format_changes_with_the_state_and_its_fold_functions() -> None:
    settled = [kind for kind in WagerSettled.__mro__ if kind.__module__.startswith("houseway")]
    parts: list[ModuleType | type] = [*MODULES, *settled]
    code = "\n".join(map(code_of, parts))
    found = hashlib.sha256(code.encode()).hexdigest()
    assert {STATE_FORMAT: found}.items() <= FORMATS.items(), (
        f"The state or a fold function has changed. If the same events can now give another state, add 1 to "
        f"STATE_FORMAT in houseway/engine/state.py. Then write {found!r} for format {STATE_FORMAT} here."
    )
    assert len(set(FORMATS.values())) == len(FORMATS)


def test_comments_and_docstrings_do_not_change_the_format() -> None:
    class State:
        """A state."""

        chips: int = 0  # cents
        """The chips."""

    plain = code_of(State)
    assert plain == "classState:chips:int=0"


@pytest.fixture
def old() -> MemoryStore:
    """Return a record whose last snapshot is in the first format, which has no format number, and has another state."""
    store = copy_records(recorded("uth-ma", "device", 3, at=house(every=60), stream=STREAM).house.store)
    at = store.snapshots(STREAM)[-1]
    snapshot = store.snapshot(STREAM, at)
    assert snapshot is not None
    assert read_snapshot(snapshot.body).current
    body = json.loads(snapshot.body)
    del body["format"]
    body["state"]["rounds"] += 5
    changed = json.dumps(body, separators=(",", ":")).encode()
    assert not read_snapshot(changed).current
    store._records[STREAM].snapshots[at] = SIGNER.snapshot(STREAM, snapshot.signed.head, changed)
    return store


def test_a_snapshot_in_another_format_is_not_compared(old: MemoryStore) -> None:
    report = verify(old, STREAM, key=SIGNER.public)
    assert report.faults == ()
    assert (
        "the contents of 1 snapshot from another version of houseway (signature and position were checked)"
        in report.lacked
    )


def test_a_table_does_not_resume_from_a_snapshot_in_another_format(old: MemoryStore) -> None:
    assert LiveTable.resume(house(old), STREAM).state.rounds == 3


def test_a_list_of_rounds_does_not_use_a_snapshot_in_another_format(old: MemoryStore) -> None:
    assert [entry["number"] for entry in Replays(old).rounds(STREAM)["rounds"]] == [3, 2, 1]


def test_a_golden_record_has_snapshots_in_an_old_format() -> None:
    archive = Archive(GOLDEN / "uth-ma-coupons-1.jsonl")
    stream = archive.header.stream
    bodies = [archive.snapshot(stream, at) for at in archive.snapshots(stream)]
    assert bodies
    assert not any(body is None or read_snapshot(body.body).current for body in bodies)
