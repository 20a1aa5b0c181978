"""A played round as JSON data, to store under a player's handle, export and import.

Only cards, choices and money are stored. Values, reasons and leaks are computed again when they are needed,
which takes about 0.1 ms for a decision.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from houseway.cards import Card, read_card
from houseway.money import LARGEST_AMOUNT
from houseway.school.played_rounds import PlayedRound, RoundOutcome, WagerResult
from houseway.school.player_decisions import EVERY_STREET, Decision

FRACTION: Final = re.compile(r"-?[0-9]{1,15}(/[1-9][0-9]{0,8})?", re.ASCII)
MOST_DECISIONS: Final = 8
MOST_CHOICES: Final = 16
MOST_WAGERS: Final = 64
LARGEST_HAND: Final = 5
LARGEST_SHOWN: Final = 8
"""The largest parts that a round can have. A larger one is not a round.

At the end of a round, more cards than a hand or a board has may be face up: some were dealt by mistake.
"""


class StoredDecision(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A decision as it is stored."""

    street: str
    hole: str
    choice: str
    choices: tuple[str, ...]
    board: str = ""
    by: str = ""


class StoredWager(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A settled wager as it is stored, in cents."""

    wager: str
    stake: int
    net: int
    hand: int = 1
    limits: str = "0"
    """A fraction."""
    clause: str | None = None


class StoredOutcome(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The end of a round as it is stored."""

    board: str
    dealer: str
    wagers: tuple[StoredWager, ...]
    net: int
    void: bool = False
    hands: int = 1


class StoredRound(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A round as it is stored, with the rulebook that it was played under."""

    rulebook: str
    hash: str
    """The hash of the rulebook's text."""
    terms: dict[str, Any]
    """The table's choices: deal mode, pay tables, limits and house settings, as `read_terms` reads them."""
    number: int
    seat: int
    stake: int
    decisions: tuple[StoredDecision, ...]
    outcome: StoredOutcome | None = None
    player: str = ""
    at: str = ""


def store_round(
    played: PlayedRound, rulebook: str, book_hash: str, terms: Mapping[str, Any]
) -> StoredRound:
    """Return a round in stored form."""
    outcome = played.outcome
    return StoredRound(
        rulebook,
        book_hash,
        dict(terms),
        played.number,
        played.seat,
        played.stake,
        tuple(
            StoredDecision(d.street, _text(d.hole), d.choice, d.choices, _text(d.board), d.by)
            for d in played.decisions
        ),
        None
        if outcome is None
        else StoredOutcome(
            _text(outcome.board),
            _text(outcome.dealer),
            tuple(
                StoredWager(w.wager, w.stake, w.net, w.hand, str(w.limits), w.clause)
                for w in outcome.wagers
            ),
            outcome.net,
            outcome.void,
            outcome.hands,
        ),
        played.player,
        played.at,
    )


def read_stored(stored: StoredRound) -> PlayedRound:
    """Return a round from its stored form. Raises ValueError if it is not a round."""
    outcome = stored.outcome
    sizes = (
        (len(stored.decisions), MOST_DECISIONS),
        (max((len(d.choices) for d in stored.decisions), default=0), MOST_CHOICES),
        (len(outcome.wagers) if outcome else 0, MOST_WAGERS),
    )
    if any(size > most for size, most in sizes):
        raise ValueError("the round has too many decisions, choices or wagers; export it again")
    lines = [(w.stake, w.net) for w in outcome.wagers] if outcome else []
    amounts = [stored.stake, outcome.net if outcome else 0, *(amount for line in lines for amount in line)]
    if max(map(abs, amounts)) > LARGEST_AMOUNT * MOST_WAGERS or stored.stake < 0:
        raise ValueError("an amount of the round is too large or negative; export it again")
    return PlayedRound(
        stored.number,
        stored.seat,
        stored.stake,
        tuple(map(_decision, stored.decisions)),
        None if outcome is None else _outcome(outcome),
        stored.player,
        stored.at,
    )


def _decision(stored: StoredDecision) -> Decision:
    street = next((street for street in EVERY_STREET if street == stored.street), None)
    if street is None:
        raise ValueError(f"{stored.street[:40]!r} is not a street; use one of {', '.join(EVERY_STREET)}")
    if stored.choice not in stored.choices:
        raise ValueError(f"the choice {stored.choice[:40]!r} is not among the legal choices")
    decision = Decision(
        street, _cards(stored.hole), _cards(stored.board), stored.choice, stored.choices, stored.by
    )
    shown = {"before the flop": 0, "after the flop": 3, "after the river": 5}.get(street, 0)
    if len(decision.board) != shown:
        raise ValueError(f"{street}, the board has {shown} cards, not {len(decision.board)}")
    return decision


def _outcome(stored: StoredOutcome) -> RoundOutcome:
    wagers = tuple(
        WagerResult(w.wager, w.hand, w.stake, w.net, _fraction(w.limits), w.clause) for w in stored.wagers
    )
    board, dealer = _cards(stored.board, LARGEST_SHOWN), _cards(stored.dealer, LARGEST_SHOWN)
    return RoundOutcome(board, dealer, wagers, stored.net, stored.void, stored.hands)


def _fraction(text: str) -> Fraction:
    if FRACTION.fullmatch(text) is None:
        raise ValueError(f"{text[:40]!r} is not a fraction, such as -77 or 5/2")
    return Fraction(text)


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _cards(text: str, most: int = LARGEST_HAND) -> tuple[Card, ...]:
    listed = tuple(map(read_card, text[:60].split()))
    if len(listed) > most:
        raise ValueError(f"{text[:60]!r} is not a hand or a board")
    return listed
