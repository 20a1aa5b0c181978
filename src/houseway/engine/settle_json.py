"""Settle rounds given as JSON data. The result is a settlement, or the reasons to refuse the round."""

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
from houseway.rules.catalogue import is_known
from houseway.rules.loader import RulebookError, load
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

TERMS_CACHED = 256
KEYS = msgspec.json.Encoder(enc_hook=repr)
"""Encodes terms as cache keys; values that JSON lacks are encoded by their repr."""


class Window:
    """A settler for rounds as JSON data: it returns each round's settlement, or the reasons to refuse it.

    Use one Window for many rounds: it caches their terms (pay tables, limits and house settings).
    """

    def __init__(self) -> None:
        self._terms: dict[bytes, tuple[Terms, list[Refusal]]] = {}

    def settle(self, data: Any, *, show_cards: bool = False) -> Settlement | Refused:
        """Settle one round, or return every reason to refuse it.

        With `show_cards` the settlement lists each hand's cards, the five that play, and the hand in words.
        """
        if not isinstance(data, dict):
            return Refused((Refusal("not-a-round", None, "", "a round must be a JSON object"),))
        ref = data.get("rulebook")
        if not isinstance(ref, str):
            sentence = 'the rulebook is missing; name it as in "rulebook": "uth-ma"'
            return Refused((Refusal("no-rulebook", None, "rulebook", sentence),))
        try:
            terms, terms_refusals = self.terms(ref, data)
        except RulebookError as error:
            lines = str(error).splitlines()
            if not is_known(ref):
                return Refused(tuple(Refusal("unknown-rulebook", None, "rulebook", line) for line in lines))
            return Refused(tuple(Refusal("rulebook-unsound", None, "rulebook", line) for line in lines))
        other = wrong_game(data, terms)
        if other is not None:
            return Refused((other,))
        played, refusals = read_round(data, terms)
        if any(r.where == "tables.progressive" for r in terms_refusals):
            # The pay table is unknown, and with it the right amount of the progressive wager.
            refusals = [r for r in refusals if r.code != "progressive-amount"]
        if terms_refusals or refusals:
            return Refused(tuple(dict.fromkeys([*terms_refusals, *refusals])))
        return settle_round(terms, played, show_cards=show_cards)

    def terms(self, ref: str, data: Mapping[str, Any]) -> tuple[Terms, list[Refusal]]:
        """Return the terms of a round and their refusals."""
        chosen = [ref, *(data.get(key) for key in ("mode", "tables", "limits", "house"))]
        rulebook = load(ref)
        wagered = _mode_wagers(rulebook, data)
        key = KEYS.encode([*chosen, wagered, rulebook.hash])
        cached = self._terms.get(key)
        if cached is None:
            if len(self._terms) >= TERMS_CACHED:
                self._terms.clear()
            cached = self._terms[key] = read_terms(rulebook, data, wagered)
        return cached


def settle(data: Any) -> Settlement | Refused:
    """Settle one round given as JSON data. To settle many rounds, reuse one Window."""
    return Window().settle(data)


def wrong_game(data: Mapping[str, Any], terms: Terms) -> Refusal | None:
    """Return a refusal if the round belongs to the other game, or None."""
    listed = data.get("seats")
    seats = [s for s in listed if isinstance(s, dict)] if isinstance(listed, list) else []
    keys = {key for seat in seats for key in seat}
    book = terms.rulebook
    own, other = ("cards", "hole") if book.game == SHOOTOUT else ("hole", "cards")
    if own in keys or other not in keys:
        return None
    sentence = f"the seats have {other!r}, but {book.id} ({book.title}) needs {own!r}; check the rulebook"
    return Refusal("wrong-game", None, "seats", sentence)


def read_round(data: Mapping[str, Any], terms: Terms) -> tuple[FinishedRound, list[Refusal]]:
    """Read a round with the reader for the rulebook's game."""
    if terms.rulebook.game == SHOOTOUT:
        return read_shootout.read_round(data, terms)
    return read_ultimate.read_round(data, terms)


def _mode_wagers(rulebook: Rulebook, data: Mapping[str, Any]) -> list[str]:
    """Return those of a round's wagers that only certain deal modes offer."""
    seats = data.get("seats")
    names = [w.name for w in rulebook.wagers.values() if w.modes]
    if not names or not isinstance(seats, list):
        return []
    return [n for n in names if any(isinstance(s, dict) and read_amount(s.get(n), n, []) for s in seats)]
