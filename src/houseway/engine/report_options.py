"""The reports and rulings that the dealer and the floor supervisor can make now, for forms and menus."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

import msgspec

from houseway.cards import UNSEEN
from houseway.engine import commands as c
from houseway.engine.device_faults import NEEDED
from houseway.engine.irregularities import (
    REPORTS,
    cards_off_deck,
    face_down_cards,
    groups_dealt_last,
    report,
)
from houseway.engine.irregularity_rules import in_play
from houseway.engine.refusals import RefusalError
from houseway.engine.rulings import EFFECTS
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.rules.procedure import KINDS


class ReportPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place that a report may name."""

    place: str
    """"seat 3", "dealer", "board" or "deck"."""
    cards: tuple[int, ...] = ()
    """The numbers of the cards that the report may name; empty if it names none."""


class ReportOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An irregularity that the rulebook has a rule for."""

    kind: str
    means: str
    places: tuple[ReportPlace, ...] = ()
    """The places that the report may name; empty if it names none."""
    asks: dict[str, str] = {}
    """Other fields of the report ("count", "device", "holds" or "seen"), with their labels."""


class RulingOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect that a supervisor's ruling may have."""

    effect: str
    means: str
    asks: tuple[str, ...] = ()
    """The fields that the effect needs besides the reason: "seat", "wager" and "amount"."""


ASKS: Final[dict[str, dict[str, str]]] = {
    "wrong number": {"seen": "The card that the hand should have received is already face up"},
    "device count": {"count": "Cards that the device shows"},
    "shuffler jam": {"device": "Back-up device, if one is used"},
    "machine failure": {"device": "Back-up device"},
}
"""The other fields that a report of each kind may have, with their labels."""
NAME_PLACES: Final = frozenset({"exposed card", "face-up card", "wrong number"})
"""The kinds of reports that name a place."""
DETAILS: Final = frozenset({"cards-needed", "right-number", "deal-not-done"})
"""The refusals of a report that can be made now. A hand with the right number of cards is offered as well:
otherwise the list would show which hands have a wrong number."""
MEANS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "continue": ("play continues", ()),
    "void hand": ("one hand is void and its unsettled wagers are returned", ("seat",)),
    "void round": ("every hand is void and unsettled wagers are returned", ()),
    "refund round": ("every hand is void and every wager of the round is returned, settled or not", ()),
    "correct payment": ("a player is paid more, or pays back", ("seat", "wager", "amount")),
}
"""The effects of a ruling in words, with the fields that each needs."""


def report_options(
    table: Table, state: State, kinds: Container[str] | None = None
) -> tuple[ReportOption, ...]:
    """Return the irregularities that can be reported now, each with the places that it can name now.

    With `kinds`, the list has only these kinds, and the others are not tried.
    """
    possible = []
    for option in known_reports(table, state, kinds):
        places = tuple(p for p in option.places if _accepted(table, state, option, p.place))
        if places or (option.kind not in NAME_PLACES and _accepted(table, state, option, "")):
            possible.append(msgspec.structs.replace(option, places=places))
    return tuple(possible)


def known_reports(
    table: Table, state: State, kinds: Container[str] | None = None
) -> tuple[ReportOption, ...]:
    """Return the irregularities that the rulebook has rules for; none while the table is closed or idle.

    With `kinds`, the list has only these kinds.
    """
    if state.section in ("closed", "idle"):
        return ()
    known = {row.kind for row in table.book.procedure.irregularities}
    return tuple(
        ReportOption(kind, KINDS[kind], report_places(table, state, kind), _asks(table, kind))
        for kind in REPORTS
        if kind in known and (kinds is None or kind in kinds)
    )


def _asks(table: Table, kind: str) -> dict[str, str]:
    """Return the other fields of a report of this kind, with their labels."""
    asks = ASKS.get(kind, {})
    rules = (row.rules.get("backup") for row in table.book.procedure.irregularities if row.kind == kind)
    if any(rule is not None and rule.value == NEEDED for rule in rules):
        return {**asks, "device": ASKS["machine failure"]["device"]}
    return asks


def _accepted(table: Table, state: State, option: ReportOption, place: str) -> bool:
    """True if a report would be accepted now, or refused only for its details."""
    command = c.Report(
        kind=option.kind,
        at=place,
        count=table.deck_size - 1 if "count" in option.asks else None,
        device="spare" if "device" in option.asks else "",
    )
    cards = (UNSEEN,) * cards_off_deck(table, state, command)
    try:
        report(table, state, msgspec.structs.replace(command, cards=cards))
    except RefusalError as error:
        return error.args[0] in DETAILS
    return True


def report_places(table: Table, state: State, kind: str) -> tuple[ReportPlace, ...]:
    """Return the places that a report of this kind may name now."""
    places = [*(f"seat {number}" for number in state.round.players), "dealer", "board"]
    if not in_play(state):
        places = []
    if kind == "exposed card":
        hidden = ((place, len(face_down_cards(state, place))) for place in places)
        listed = [ReportPlace(place, tuple(range(1, count + 1))) for place, count in hidden if count]
        return (*listed, ReportPlace("deck"))
    if kind == "face-up card":
        groups = groups_dealt_last(table, state)
        return (ReportPlace("deck"), *(ReportPlace(place, tuple(n)) for place, n in groups.items()))
    return tuple(map(ReportPlace, places)) if kind == "wrong number" else ()


def ruling_options(table: Table, state: State) -> tuple[RulingOption, ...]:
    """Return the effects that a ruling may have; none while the table is closed."""
    if state.section == "closed":
        return ()
    return tuple(RulingOption(effect, *MEANS[effect]) for effect in EFFECTS)
