"""The cashier's window: a round given as data in, a settlement or a refusal out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.engine import read_shootout, read_ultimate
from houseway.engine.finished_round import FinishedRound
from houseway.engine.read_round import read_amount
from houseway.engine.refusals import Refusal, Refused
from houseway.engine.settle import settle as settle_round
from houseway.engine.settlement import Settlement
from houseway.engine.terms import Terms, read_terms
from houseway.rules.loader import RulebookError, load
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

TERMS_KEPT = 256
KEYS = msgspec.json.Encoder(enc_hook=repr)
"""Writes terms as the key they are kept under; what is no JSON value is told apart by how it prints."""


class Window:
    """Settles rounds, keeping the terms it has already read for the rounds that follow."""

    def __init__(self) -> None:
        self._terms: dict[bytes, tuple[Terms, list[Refusal]]] = {}

    def settle(self, data: Any, *, show_cards: bool = False) -> Settlement | Refused:
        """Settle one round, or say everything that is wrong with it.

        With `show_cards` the settlement lists the cards of each hand, the five that play and their words.
        """
        if not isinstance(data, dict):
            return Refused((Refusal("not-a-round", None, "", "a round is a JSON object"),))
        ref = data.get("rulebook")
        if not isinstance(ref, str):
            sentence = 'name the rulebook of the round, "rulebook": "uth-ma"'
            return Refused((Refusal("no-rulebook", None, "rulebook", sentence),))
        try:
            terms, wrong = self.terms(ref, data)
        except RulebookError as error:
            return Refused(
                tuple(Refusal("rulebook-unsound", None, "rulebook", f"{ref}: {p}") for p in error.problems)
            )
        other = wrong_game(data, terms)
        if other is not None:
            return Refused((other,))
        played, found = read_round(data, terms)
        if any(r.where == "tables.progressive" for r in wrong):
            # With the table unknown nobody can say what its wager should have been.
            found = [r for r in found if r.code != "progressive-amount"]
        if wrong or found:
            return Refused(tuple(dict.fromkeys([*wrong, *found])))
        return settle_round(terms, played, show_cards=show_cards)

    def terms(self, ref: str, data: Mapping[str, Any]) -> tuple[Terms, list[Refusal]]:
        """The terms of a round, and what is wrong with them."""
        chosen = [ref, *(data.get(key) for key in ("mode", "tables", "limits", "house"))]
        rulebook = load(ref)
        wagered = _only_in_one_mode(rulebook, data)
        key = KEYS.encode([*chosen, wagered, rulebook.hash])
        kept = self._terms.get(key)
        if kept is None:
            if len(self._terms) >= TERMS_KEPT:
                self._terms.clear()
            kept = self._terms[key] = read_terms(rulebook, data, wagered)
        return kept


def settle(data: Any) -> Settlement | Refused:
    """Settle one round given as data; for many rounds keep a Window."""
    return Window().settle(data)


def wrong_game(data: Mapping[str, Any], terms: Terms) -> Refusal | None:
    """The one thing to say of a round that belongs to the other game."""
    listed = data.get("seats")
    seats = [s for s in listed if isinstance(s, dict)] if isinstance(listed, list) else []
    keys = {key for seat in seats for key in seat}
    book = terms.rulebook
    mine, others = ("cards", "hole") if book.game == SHOOTOUT else ("hole", "cards")
    if mine in keys or others not in keys:
        return None
    sentence = f"{book.id} is {book.title}; its seats have {mine!r}, these have {others!r}"
    return Refusal("wrong-game", None, "seats", sentence)


def read_round(data: Mapping[str, Any], terms: Terms) -> tuple[FinishedRound, list[Refusal]]:
    """Read a round of the rulebook's game."""
    if terms.rulebook.game == SHOOTOUT:
        return read_shootout.read_round(data, terms)
    return read_ultimate.read_round(data, terms)


def _only_in_one_mode(rulebook: Rulebook, data: Mapping[str, Any]) -> list[str]:
    """The wagers made in a round that are offered in certain deal modes only."""
    seats = data.get("seats")
    tied = [w.name for w in rulebook.wagers.values() if w.modes]
    if not tied or not isinstance(seats, list):
        return []
    return [n for n in tied if any(isinstance(s, dict) and read_amount(s.get(n), n, []) for s in seats)]
