"""The exact solver as a service: the coach at a table and the lab.

Kernels and counts are made ready in a thread of their own, and one game is solved at a time. What a hand is
worth under a rulebook that is ready is looked up and waits for nobody.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from threading import RLock, Thread
from typing import TYPE_CHECKING, Any, Final

from houseway.cards import RANK_WORDS, Card, cards
from houseway.client.messages import View
from houseway.engine.made_hands import hand_words
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.money import dollars
from houseway.ranking.classes import plural
from houseway.rules.changes import changed
from houseway.rules.loader import RulebookError, sound_rulebooks
from houseway.rules.options import SHOOTOUT, ULTIMATE
from houseway.rules.rulebook import Rulebook
from houseway.server.lab_controls import controls
from houseway.server.rulebook_library import RefusedError, bundled, default_terms, plain_terms, refused

if TYPE_CHECKING:
    from houseway.exact import Solution
    from houseway.exact.shootout import ShootoutSolution

Data = dict[str, Any]
Find = Callable[[Terms], Data]
Worth = tuple[dict[str, Fraction], int, str]
"""What choices are worth, over how many deals, and how that was counted."""
CLOSE: Final = Fraction(1, 40)
"""Antes within which two choices are a close call."""
KEPT: Final = 192
"""Results that are kept: figures, outcomes and side bets of some sixty rulebooks."""
LONGEST: Final = 100
"""Letters of one change."""
MOST: Final = 64
"""Changes to a rulebook at once."""
DECK: Final = 52

_SAMPLE: Final = ("Ts 9s", "", "Jh 8d 2s", "Jh 8d 2s 7c 3h")
"""A hand asked for once at every betting point, so that nobody waits for a kernel."""


class Solver:
    """Values of choices and of whole games."""

    def __init__(self) -> None:
        self.ready = False
        self.sentence = "Tables play already. The exact solver is getting ready."
        self._lock = RLock()
        self._at_hand: dict[str, Terms] = {}
        """By hash, the terms of rulebooks whose every hand is looked up at once."""
        self._results: OrderedDict[tuple[Find, str], Data] = OrderedDict()
        """What is known of rulebooks, by what finds it out and the hash of the rulebook."""
        self._last: Solution | None = None
        """The game solved last: who asks for its figures asks for its outcomes next."""
        self._shootouts: dict[str, ShootoutSolution | None] = {}
        """Texas Shootout by hash; None while it is being counted."""
        self._counting = ""

    def start(self) -> Thread:
        """Get ready in a thread of its own."""
        thread = Thread(target=self._warm, name="solver", daemon=True)
        thread.start()
        return thread

    def _warm(self) -> None:
        try:
            for book in sound_rulebooks()[0]:
                if book.game == ULTIMATE:
                    self._take_up(book)
        except Exception as error:
            self.sentence = f"The exact solver cannot be used: {error}"
            raise
        self.ready = True
        self.sentence = "The exact solver is ready."

    def _take_up(self, book: Rulebook) -> Terms:
        """The terms a rulebook's hands are looked up under; solved, where they have not been."""
        from houseway.exact import odds

        with self._lock:
            if book.hash not in self._at_hand:
                terms = default_terms(book)
                hole, *boards = _SAMPLE
                for board in boards:
                    odds(terms, cards(hole), cards(board))
                self._at_hand[book.hash] = terms
            return self._at_hand[book.hash]

    # --- the coach ---

    def coach(self, table: Table, view: View, seq: int) -> Data:
        """What each choice of a seat's decision is worth, from nothing but what the seat sees."""
        told: Data = {"ready": self.ready, "sentence": self.sentence, "seq": seq}
        told |= {"stage": "", "hand": "", "choices": [], "ways": "0"}
        seen, own = view.table, view.yours.cards
        if seen.turn != view.yours.seat or not own:
            return told | {"sentence": "You are asked nothing now."} if self.ready else told
        step = table.steps.get(seen.step)
        stage = table.stage_of(step) if step else None
        told["stage"] = stage.name if stage else seen.step
        held, board = cards(" ".join(own[0])), cards(" ".join(seen.board))
        told["hand"] = _named(table, held, board)
        if table.shootout and self._shootout(table.book) is None:
            return told | {"ready": False, "sentence": self._counting}
        if not table.shootout and not self.ready:
            return told
        offered = {choice.says for choice in view.yours.choices}
        try:
            if table.shootout:
                values, ways, sentence = _shootout_values(table.book, held, offered)
            else:
                values, ways, sentence = self._values(table.book, held, board, offered)
        except ValueError as error:
            return told | {"ready": False, "sentence": f"The coach cannot tell: {error}."}
        stake = seen.seats[view.yours.seat].hands[1].wagers["wager" if table.shootout else "ante"]
        told |= {"ready": True, "sentence": sentence, "ways": str(ways)}
        return told | {"choices": _weighed(values, stake)}

    def _values(
        self, book: Rulebook, held: tuple[Card, ...], board: tuple[Card, ...], offered: set[str]
    ) -> Worth:
        """The choices of Ultimate Texas Hold'em."""
        from houseway.exact import odds

        terms = self._at_hand.get(book.hash) or self._take_up(book)
        values = odds(terms, held, board).values
        ways, what = _ways(len(board))
        sentence = f"Exact, over all {ways:,} ways {what} can fall. Ante, blind and play only."
        return {name: v for name, v in values.items() if {name, f"play {name}"} & offered}, ways, sentence

    def _shootout(self, book: Rulebook) -> ShootoutSolution | None:
        """Texas Shootout solved; None while it is counted aside, which is begun where it has not been."""
        with self._lock:
            if book.hash not in self._shootouts:
                self._shootouts[book.hash] = None
                self._counting = f"{book.title} is being counted for the first time, which takes minutes."
                Thread(target=self._count, args=(book,), name="solver", daemon=True).start()
        return self._shootouts[book.hash]

    def _count(self, book: Rulebook) -> None:
        from houseway.exact.shootout import solve

        def progress(done: int, of: int) -> None:
            self._counting = f"{book.title} is being counted: {done} of {of} two-card hands are done."

        try:
            # A core is left to the tables.
            threads = max(1, (os.cpu_count() or 1) - 1)
            self._shootouts[book.hash] = solve(book, threads=threads, progress=progress)
        except Exception as error:
            self._counting = f"{book.title} cannot be counted: {error}"
            raise

    # --- the lab ---

    def lab(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """A rulebook with values changed: what can be turned, the edge, the best play before the flop."""
        book = _changed(rulebook, changes)
        terms = default_terms(book)
        told = {
            "ready": self.ready,
            "sentence": self.sentence,
            "rulebook": rulebook,
            "hash": book.hash,
            "controls": controls(plain_terms(bundled(rulebook)), terms),
        }
        if book.game == SHOOTOUT:
            return told | self._shootout_lab(book)
        if not self.ready:
            return told
        return told | self._kept(terms, self._figures)

    def outcomes(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """What its rounds come to: how they are played, their risk and spread, every net result."""
        lacks = Refusal("no-outcomes", None, "rulebook", f"{rulebook} has no table of outcomes")
        return self._ultimate(rulebook, changes, lacks, self._counted)

    def wagers(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """Its side bets, each under every pay table it has."""
        lacks = Refusal("no-wagers", None, "rulebook", f"the side bets of {rulebook} are in its figures")
        return self._ultimate(rulebook, changes, lacks, _wagers)

    def _ultimate(self, rulebook: str, changes: Mapping[str, str], lacks: Refusal, find: Find) -> Data:
        """Find something out about a game of Ultimate Texas Hold'em; Texas Shootout `lacks` it."""
        terms = default_terms(_changed(rulebook, changes))
        if terms.rulebook.game == SHOOTOUT:
            raise RefusedError(400, lacks)
        if not self.ready:
            return {"ready": False, "sentence": self.sentence}
        return {"ready": True, "hash": terms.hash} | self._kept(terms, find)

    def sheet(self, rulebook: str, changes: Mapping[str, str]) -> str:
        """Its par sheet, as a page to keep."""
        from houseway.report.sheet import par_sheet
        from houseway.report.sheet.html import text

        terms = default_terms(_changed(rulebook, changes))
        with self._lock:
            return text(par_sheet(terms))

    def _solve(self, terms: Terms) -> Solution:
        from houseway.exact import solve

        if self._last is None or self._last.hash != terms.hash:
            self._last = solve(terms)
        return self._last

    def _kept(self, terms: Terms, find: Find) -> Data:
        """What is known of a rulebook, or is found out now, one at a time."""
        from houseway.exact import UnsolvableError

        key = (find, terms.hash)
        with self._lock:
            if key not in self._results:
                try:
                    self._results[key] = find(terms)
                except UnsolvableError as error:
                    raise refused(400, "unsolvable", "set", str(error)) from error
                if len(self._results) > KEPT:
                    self._results.popitem(last=False)
            self._results.move_to_end(key)
            return self._results[key]

    def _figures(self, terms: Terms) -> Data:
        """What a game is worth, and its best play before the flop."""
        from houseway.exact.solution import DEALS
        from houseway.report.solution_data import number

        solution = self._solve(terms)
        edge = {"ante": float(solution.edge), "ante_and_blind": float(solution.edge / 2), "risk": None}
        return {
            "deals": str(DEALS),
            "edge": edge,
            "value": number(solution.value),
            "average_bet": None,
            "grid": [
                {
                    "hand": hand.hand,
                    "best": hand.best,
                    "values": {name: float(worth) for name, worth in hand.values.items()},
                    "close": _is_close(hand.values),
                }
                for hand in solution.starting_hands
            ],
            "seconds": solution.seconds,
        }

    def _counted(self, terms: Terms) -> Data:
        """What the rounds of a game come to, which takes a second pass."""
        from houseway.exact import outcomes
        from houseway.exact.solution import DEALS
        from houseway.report.solution_data import game

        solution = self._solve(terms)
        told = game(solution, outcomes(solution))
        return {
            "risk": told["element_of_risk"],
            **{name: told[name] for name in ("average_bet", "actions", "variance", "sd")},
            "outcomes": [
                {**row, "chance": float(Fraction(int(row["count"]), DEALS))} for row in told["outcomes"]
            ],
        }

    def _shootout_lab(self, book: Rulebook) -> Data:
        found = self._shootout(book)
        if found is None:
            return {"ready": False, "sentence": self._counting}
        from houseway.report.solution_data import number

        best = found.best
        edge = {"ante": float(-best.value), "ante_and_blind": None, "risk": float(best.element_of_risk)}
        return {
            "ready": True,
            "sentence": "Best play against the house way, exactly.",
            "edge": edge,
            "value": number(best.value),
            "average_bet": float(best.staked),
            "actions": {"keep": float(1 - best.split), "split": float(best.split)},
            "grid": [],
            "seconds": 0.0,
        }


def _changed(rulebook: str, changes: Mapping[str, str]) -> Rulebook:
    """A bundled rulebook with values changed, in one order whatever order they came in."""
    book = bundled(rulebook)
    if not changes:
        return book
    if book.game == SHOOTOUT:
        sentence = "Texas Shootout takes minutes to count; change it with `houseway solve --set`"
        raise refused(400, "not-changed-here", "set", sentence)
    if any(len(key) + len(value) > LONGEST for key, value in changes.items()):
        raise refused(400, "bad-change", "set", f"a change has at most {LONGEST} letters")
    if len(changes) > MOST:
        raise refused(400, "too-many-changes", "set", f"at most {MOST} values are changed at once")
    try:
        return changed(rulebook, [f"{key}={value}" for key, value in sorted(changes.items())])
    except RulebookError as error:
        wrong = (Refusal("bad-change", None, p.path, f"{p.wrong}; {p.right}") for p in error.problems)
        raise RefusedError(400, *wrong) from error


def _shootout_values(book: Rulebook, held: tuple[Card, ...], offered: set[str]) -> Worth:
    """The choices of Texas Shootout."""
    from houseway.exact.shootout import odds

    splits = any(says.startswith("split") for says in offered)
    left = DECK * book.ranking.decks - len(held)
    ways = comb(left, len(held)) * comb(left - len(held), 5)
    sentence = (
        f"Exact against the house way, over all {ways:,} ways dealer's cards and flop can fall. "
        "The primary wager only; a split has two at stake."
    )
    choices = (c for c in odds(book, held) if splits or not c.action.startswith("split"))
    return {choice.action: choice.value for choice in choices}, ways, sentence


def _wagers(terms: Terms) -> Data:
    """The side bets of a game."""
    from houseway.exact import wagers
    from houseway.report.solution_data import wager

    priced = wagers(terms)
    return {"wagers": {name: {t: wager(v) for t, v in by.items()} for name, by in priced.items()}}


def _is_close(values: Mapping[str, Fraction]) -> bool:
    """Whether checking and the best play are nearly worth the same."""
    plays = [worth for name, worth in values.items() if name != "check"]
    return "check" in values and bool(plays) and abs(max(plays) - values["check"]) <= CLOSE


def _weighed(values: Mapping[str, Fraction], stake: int) -> list[Data]:
    """Choices with what they are worth, in stakes and in dollars, and what is lost by each."""
    from houseway.report.solution_data import number

    ranked = sorted(values.values(), reverse=True)
    best = max(values, key=values.__getitem__, default="")
    # The best one is a close call where the next is near.
    lead = ranked[0] - ranked[1] if len(ranked) > 1 else CLOSE + 1
    told = []
    for name, worth in values.items():
        costs, amount = ranked[0] - worth, round(worth * stake)
        told.append(
            {
                "says": _play_said(name),
                "action": name,
                **number(worth),
                "dollars": ("" if amount < 0 else "+") + dollars(amount),
                "costs": float(costs),
                "best": name == best,
                "close": (lead if name == best else costs) <= CLOSE,
            }
        )
    return told


def _play_said(action: str) -> str:
    if action[:1].isdecimal():
        return f"Play {action.removesuffix('x')}×"
    return action[:1].upper() + action[1:]


def _ways(board: int) -> tuple[int, str]:
    """How many deals may still come, and of what."""
    from houseway.exact.advice import TURNS_AND_RIVERS
    from houseway.exact.pay_arrays import DEALER_HANDS, DEALS_PER_HAND

    if board == 0:
        return DEALS_PER_HAND, "the board and the dealer's cards"
    if board < 5:
        return TURNS_AND_RIVERS * DEALER_HANDS, "the turn, the river and the dealer's cards"
    return DEALER_HANDS, "the dealer's cards"


def _named(table: Table, held: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """The own hand in words: what it makes with the board, or the cards themselves."""
    if len(held) == 2 and board:
        words = hand_words(table, map(str, held), map(str, board))
    elif len(held) == 2 and held[0].rank == held[1].rank:
        words = f"pair of {plural(held[0].rank)}"
    else:
        words = ", ".join(RANK_WORDS[card.rank] for card in sorted(held, key=lambda c: -c.rank))
        suited = len({card.suit for card in held}) == 1
        words += ", suited" if suited and len(held) == 2 else ""
    return words[:1].upper() + words[1:]
