"""Build the missing golden records, without changing existing ones: `python tests/record/golden/build.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1]))

from houseway.audit.archive import Archive  # noqa: E402
from houseway.audit.explain import explain, story_lines  # noqa: E402
from houseway.audit.export import export_lines  # noqa: E402
from houseway.engine import commands as c  # noqa: E402
from houseway.engine import events as e  # noqa: E402
from houseway.rules.loader import rulebook_ids  # noqa: E402
from live.test_ledgers import bet, open_linked_table, play  # noqa: E402
from random_play import modes_of  # noqa: E402
from record.recorded import Recorded, house, state_hash  # noqa: E402
from record.test_explain import GOLDEN_TEXTS  # noqa: E402

RECORDS = {
    f"{rulebook}-{mode}": (rulebook, mode) for rulebook in rulebook_ids() for mode in modes_of(rulebook)
}
RECORDS["shootout-sd-manual-2"] = ("shootout-sd", "manual")
"""A record of a later version, with settings for tips and challenges and with the reset of a wrong dealer's hand."""
RECORDS["shootout-sd-manual-3"] = ("shootout-sd", "manual")
"""A record in which the house setting inspects the decks."""
RECORDS["uth-sd-misdeal-1"] = ("uth-sd", "manual")
REQUIRED_EVENTS: dict[str, set[type[e.Event]]] = {
    "shootout-sd-manual-2": {e.DealerHandReset},
    "shootout-sd-manual-3": {e.DeckInspected, e.DealerHandReset},
    "uth-sd-misdeal-1": {e.WagerRestored},
}
"""The events that some records must have, in addition to irregularities."""
RECORDS["uth-ma-device-readings"] = ("uth-ma", "device")
TERMS = {
    "uth-ma-device-readings": {
        "mode": "device",
        "tables": {"trips": "B", "progressive": "PTMGL01"},
        "house": {
            "feed": 20,
            "void_folds": "returned",
            "void_progressive": "settled",
            "folded_progressive": "at once",
            "cover_all_low": "push",
        },
    }
}
"""The terms of records whose terms are not random. Their house settings choose the readings other than the default."""
RECORDS |= {"uth-ma-manual-2": ("uth-ma", "manual"), "uth-ma-manual-3": ("uth-ma", "manual")}
"""Records of later versions, with named people at the opening and with commitments to salts."""
REQUIRED_EVENTS["uth-ma-manual-3"] = {e.SaltCommitted, e.SaltOpened, e.PlayersCutMade, e.DeckDiscarded}
ROUNDS = 4
VOIDS = (e.RoundVoided, e.HandVoided)
TROUBLE = (
    *VOIDS, e.CardExposed, e.FaceUpFound, e.CardDrawn, e.ExtraDealt, e.CardSkipped, e.WrongNumberFound,
    e.DeviceJammed, e.BackupTaken, e.MispaymentMade, e.PaymentCorrected, e.WagersReturned, e.RecutOrdered,
    e.LimitsChanged, e.SeatHeld,
)  # fmt: skip


class Committed(Recorded):
    """A table where every player who bets commits to a salt, and often does not open it."""

    unopened = 0.1

    def wager(self) -> None:
        super().wager()
        for number, seat in self.state.seats.items():
            if seat.hands[0].wagers and self.state.round.betting == "open":
                self.add_salt(number)


def eventful(name: str, rulebook: str, mode: str) -> Recorded:
    """Return the first random record of this kind that has several irregularities, one of which voids a hand or round."""
    kind = Committed if e.SaltCommitted in REQUIRED_EVENTS.get(name, ()) else Recorded
    for seed in range(1000):
        playing = kind(
            house(every=100), f"golden:{name}", rulebook, mode, seed=seed, given=TERMS.get(name),
            irregular=0.04,
        )  # fmt: skip
        playing.rounds = list(playing.play(ROUNDS))
        kinds = {type(event) for event in playing.record} & set(TROUBLE)
        split = any(isinstance(event, e.HandSplit) for event in playing.record)
        eventful_ = len(kinds) >= 4 and kinds & set(VOIDS) and (split or "keep" not in playing.book.options)
        have = {type(event) for event in playing.record}
        taken = any(isinstance(event, e.WagersReturned) and event.taken for event in playing.record)
        needed = REQUIRED_EVENTS.get(name, set()) <= have and (taken or name not in TERMS)
        if eventful_ and needed and len(playing.record) < 600:
            return playing
    raise SystemExit(f"{name}: no record has enough irregularities")


def build_linked() -> None:
    """Write two tables with one meter, the meter, and the account of a player who moved from one table to the other."""
    folder = HERE / "linked"
    if folder.exists():
        return
    at = house(every=100)
    north, south = (
        open_linked_table(at, "golden:north", "straight flush"),
        open_linked_table(at, "golden:south"),
    )
    for live in (south, north, south):
        bet(live)
        play(live)
        live.advance()
        live.send(c.Sit(seat=2, player="Theo", account="Theo"))
        if live is south:
            live.send(c.Leave(seat=2))
    bet(south)
    folder.mkdir()
    for stream in at.store.streams():
        lines = export_lines(at.store, stream, secrets=True)
        (folder / f"{stream.replace(':', '-')}.jsonl").write_bytes(b"".join(lines))


def build() -> None:
    """Write the missing records and texts."""
    known = HERE / "hashes.json"
    hashes = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    for name, (rulebook, mode) in RECORDS.items():
        if name in hashes:
            continue
        playing = eventful(name, rulebook, mode)
        (HERE / f"{name}.jsonl").write_bytes(
            b"".join(export_lines(playing.house.store, playing.stream, secrets=True))
        )
        hashes[name] = {
            "events": playing.live.head.events,
            "chain": playing.live.head.chain.hex(),
            "table": state_hash(playing.live.state),
        }
    known.write_text(json.dumps(hashes, indent=2) + "\n", encoding="utf-8")
    for name, (record, number, role) in GOLDEN_TEXTS.items():
        file = HERE / f"{name}.txt"
        if not file.exists():
            story = explain(
                Archive(HERE / f"{record}.jsonl"), f"golden:{record}", number, role, clauses=True
            )
            file.write_text("\n".join(story_lines(story)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    build()
    build_linked()
