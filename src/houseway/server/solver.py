"""The exact solver as a service: the coach at a table and the lab.

At startup, a background thread compiles the kernels and solves the bundled rulebooks. After that, the value
of a hand is a quick lookup. Other games are solved on request, one at a time.
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
from houseway.rules.changes import apply_changes
from houseway.rules.loader import RulebookError, sound_rulebooks
from houseway.rules.options import SHOOTOUT, ULTIMATE
from houseway.rules.rulebook import Rulebook
from houseway.server.lab_controls import controls
from houseway.server.rulebook_library import RefusedError, bundled, default_terms, plain_terms, refused
from houseway.wording import capital

if TYPE_CHECKING:
    from houseway.exact import Solution
    from houseway.exact.shootout import ShootoutSolution

Data = dict[str, Any]
Compute = Callable[[Terms], Data]
Worth = tuple[dict[str, Fraction], int, str]
"""The average value of each choice, the number of deals averaged, and a sentence for the player."""
CLOSE: Final = Fraction(1, 40)
"""Two choices are a close call if their values differ by at most this many antes."""
CACHED: Final = 256
"""The most cached results: enough for the figures, outcomes, side bets and best play of 60 rulebooks."""
LONGEST: Final = 100
"""The most characters in one change."""
MOST: Final = 64
"""The most changes to a rulebook in one request."""
DECK: Final = 52

_SAMPLE: Final = ("Ts 9s", "", "Jh 8d 2s", "Jh 8d 2s 7c 3h")
"""A hand, and a board for each betting point. Looking them up at startup compiles the kernels."""


class Solver:
    """Solves games and looks up the values of choices."""

    def __init__(self) -> None:
        self.ready = False
        self.sentence = "You can play now. The exact solver is still starting."
        self._lock = RLock()
        self._ready_terms: dict[str, Terms] = {}
        """The terms of solved rulebooks, by hash."""
        self._results: OrderedDict[tuple[Compute, str], Data] = OrderedDict()
        """Cached results, by the function that computes them and the hash of the terms."""
        self._last: Solution | None = None
        """The game solved last. Its outcomes are usually requested right after its figures."""
        self._shootouts: dict[str, ShootoutSolution | None] = {}
        """Solutions of Texas Shootout, by the rulebook's hash; None while the rulebook is being solved."""
        self._progress = ""

    def start(self) -> Thread:
        """Start the solver in a background thread."""
        thread = Thread(target=self._warm, name="solver", daemon=True)
        thread.start()
        return thread

    def _warm(self) -> None:
        try:
            for book in sound_rulebooks()[0]:
                if book.game == ULTIMATE:
                    self._solved_terms(book)
        except Exception as error:
            self.sentence = f"The exact solver failed to start: {error}"
            raise
        self.ready = True
        self.sentence = "The exact solver is ready."

    def _solved_terms(self, book: Rulebook) -> Terms:
        """Return the terms for looking up a rulebook's hands; solve the rulebook first if necessary."""
        from houseway.exact import odds

        with self._lock:
            if book.hash not in self._ready_terms:
                terms = default_terms(book)
                hole, *boards = _SAMPLE
                for board in boards:
                    odds(terms, cards(hole), cards(board))
                self._ready_terms[book.hash] = terms
            return self._ready_terms[book.hash]

    # --- the coach ---

    def coach(self, table: Table, view: View, seq: int) -> Data:
        """Return the value of each choice a seat has, computed from what that seat can see."""
        advice: Data = {"ready": self.ready, "sentence": self.sentence, "seq": seq}
        advice |= {"stage": "", "hand": "", "choices": [], "ways": "0"}
        now, own = view.table, view.yours.cards
        if not now.awaits(view.yours.seat) or not own:
            return advice | {"sentence": "It is not your turn."} if self.ready else advice
        step = table.steps.get(now.step)
        stage = table.stage_of(step) if step else None
        advice["stage"] = stage.name if stage else now.step
        held, board = cards(" ".join(own[0])), cards(" ".join(now.board))
        advice["hand"] = held_words(table, held, board)
        if table.shootout and self._shootout(table.book) is None:
            return advice | {"ready": False, "sentence": self._progress}
        if not table.shootout and not self.ready:
            return advice
        offered = {choice.action for choice in view.yours.choices}
        try:
            if table.shootout:
                values, ways, sentence = _shootout_values(table.book, held, offered)
            else:
                values, ways, sentence = self._values(table.book, held, board, offered)
        except ValueError as error:
            return advice | {"ready": False, "sentence": f"The coach has no advice: {error}."}
        stake = now.seats[view.yours.seat].hands[1].wagers["wager" if table.shootout else "ante"]
        advice |= {"ready": True, "sentence": sentence, "ways": str(ways)}
        return advice | {"choices": _rated(values, stake)}

    def _values(
        self, book: Rulebook, held: tuple[Card, ...], board: tuple[Card, ...], offered: set[str]
    ) -> Worth:
        """Return the values of the choices in Ultimate Texas Hold'em."""
        from houseway.exact import odds

        terms = self._ready_terms.get(book.hash) or self._solved_terms(book)
        values = odds(terms, held, board).values
        ways, unseen = _ways(len(board))
        sentence = f"Exact average over all {ways:,} deals of {unseen}. Ante, blind and play only."
        return {name: v for name, v in values.items() if name in offered}, ways, sentence

    def _shootout(self, book: Rulebook) -> ShootoutSolution | None:
        """Return the solution of Texas Shootout; None until a background thread has found it."""
        with self._lock:
            if book.hash not in self._shootouts:
                self._shootouts[book.hash] = None
                self._progress = f"{book.title} is being solved for the first time, which takes minutes."
                Thread(target=self._solve_shootout, args=(book,), name="solver", daemon=True).start()
        return self._shootouts[book.hash]

    def _solve_shootout(self, book: Rulebook) -> None:
        from houseway.exact.shootout import solve

        def progress(done: int, of: int) -> None:
            self._progress = f"{book.title} is being solved: {done} of {of} two-card hands are done."

        try:
            # Leave a core for the tables.
            threads = max(1, (os.cpu_count() or 1) - 1)
            self._shootouts[book.hash] = solve(book, threads=threads, progress=progress)
        except Exception as error:
            self._progress = f"{book.title} cannot be solved: {error}"
            raise

    def shootout_preparation(self, book: Rulebook) -> str:
        """Return why a rulebook of Texas Shootout has no values yet; empty if it needs none.

        The first call starts to solve the rulebook, unless the solver is still starting.
        """
        if book.game != SHOOTOUT:
            return ""
        if not self.ready:
            return self.sentence
        return "" if self._shootout(book) is not None else self._progress

    # --- the lab ---

    def lab(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """Return a changed rulebook's controls, its house edge and the best play before the flop."""
        book = _changed(rulebook, changes)
        terms = default_terms(book)
        reply = {
            "ready": self.ready,
            "sentence": self.sentence,
            "rulebook": rulebook,
            "hash": book.hash,
            "controls": controls(plain_terms(bundled(rulebook)), terms),
        }
        if book.game == SHOOTOUT:
            return reply | self._shootout_lab(book)
        if not self.ready:
            return reply
        return reply | self._cached(terms, self._figures)

    def outcomes(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """Return the frequency of each action, the variance, and the chance of each net result."""
        lacks = Refusal("no-outcomes", None, "rulebook", f"outcomes are not available for {rulebook}")
        return self._ultimate(rulebook, changes, lacks, self._outcomes)

    def wagers(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """Return the values of the side bets, under each of their pay tables."""
        lacks = Refusal("no-wagers", None, "rulebook", f"side bets are not available for {rulebook}")
        return self._ultimate(rulebook, changes, lacks, _wagers)

    def strategy(self, rulebook: str, changes: Mapping[str, str]) -> Data:
        """Return the best play after the flop and after the river, by kind of hand."""
        lacks = Refusal(
            "no-strategy", None, "rulebook", f"best play by street is not available for {rulebook}"
        )
        return self._ultimate(rulebook, changes, lacks, self._street_strategy)

    def _ultimate(self, rulebook: str, changes: Mapping[str, str], lacks: Refusal, find: Compute) -> Data:
        """Compute results for Ultimate Texas Hold'em; raise `lacks` for Texas Shootout."""
        terms = default_terms(_changed(rulebook, changes))
        if terms.rulebook.game == SHOOTOUT:
            raise RefusedError(400, lacks)
        if not self.ready:
            return {"ready": False, "sentence": self.sentence}
        return {"ready": True, "hash": terms.hash} | self._cached(terms, find)

    def sheet(self, rulebook: str, changes: Mapping[str, str]) -> str:
        """Return the par sheet as an HTML page."""
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

    def _cached(self, terms: Terms, compute: Compute) -> Data:
        """Return a cached result, or compute it. One computation runs at a time."""
        from houseway.exact import UnsolvableError

        key = (compute, terms.hash)
        with self._lock:
            if key not in self._results:
                try:
                    self._results[key] = compute(terms)
                except UnsolvableError as error:
                    raise refused(400, "unsolvable", "set", str(error)) from error
                if len(self._results) > CACHED:
                    self._results.popitem(last=False)
            self._results.move_to_end(key)
            return self._results[key]

    def _figures(self, terms: Terms) -> Data:
        """Return the value of a game and its best play before the flop."""
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

    def _outcomes(self, terms: Terms) -> Data:
        """Return the outcomes of a game's rounds, which takes a second pass over all deals."""
        from houseway.exact import outcomes
        from houseway.exact.solution import DEALS
        from houseway.report.solution_data import game

        solution = self._solve(terms)
        data = game(solution, outcomes(solution))
        return {
            "risk": data["element_of_risk"],
            **{name: data[name] for name in ("average_bet", "actions", "variance", "sd")},
            "outcomes": [
                {**row, "chance": float(Fraction(int(row["count"]), DEALS))} for row in data["outcomes"]
            ],
        }

    def _street_strategy(self, terms: Terms) -> Data:
        """Return how often each choice is best after the flop and after the river, by kind of hand."""
        from houseway.exact.street_strategy import street_strategy

        return {
            "streets": {
                street: [
                    {"hand": kind.hand, "deals": {name: str(deals) for name, deals in kind.deals.items()}}
                    for kind in kinds
                ]
                for street, kinds in street_strategy(self._solve(terms)).items()
            }
        }

    def _shootout_lab(self, book: Rulebook) -> Data:
        solution = self._shootout(book)
        if solution is None:
            return {"ready": False, "sentence": self._progress}
        from houseway.report.solution_data import number

        best = solution.best
        edge = {"ante": float(-best.value), "ante_and_blind": None, "risk": float(best.element_of_risk)}
        return {
            "ready": True,
            "sentence": "Exact, with best play against the house way.",
            "edge": edge,
            "value": number(best.value),
            "average_bet": float(best.staked),
            "actions": {"keep": float(1 - best.split), "split": float(best.split)},
            "grid": [],
            "seconds": 0.0,
        }


def _changed(rulebook: str, changes: Mapping[str, str]) -> Rulebook:
    """Return a rulebook with changes. They are sorted, so that the same changes give the same hash."""
    book = bundled(rulebook)
    if not changes:
        return book
    if book.game == SHOOTOUT:
        sentence = "Texas Shootout takes minutes to solve; change it with `houseway solve --set`"
        raise refused(400, "not-changed-here", "set", sentence)
    if any(len(key) + len(value) > LONGEST for key, value in changes.items()):
        raise refused(400, "bad-change", "set", f"a change may have at most {LONGEST} characters")
    if len(changes) > MOST:
        raise refused(400, "too-many-changes", "set", f"change at most {MOST} values at once")
    try:
        return apply_changes(rulebook, [f"{key}={value}" for key, value in sorted(changes.items())])
    except RulebookError as error:
        refusals = (
            Refusal("bad-change", None, p.path or "set", f"{p.wrong}; {p.right}") for p in error.problems
        )
        raise RefusedError(400, *refusals) from error


def _shootout_values(book: Rulebook, held: tuple[Card, ...], offered: set[str]) -> Worth:
    """Return the values of the choices in Texas Shootout."""
    from houseway.exact.shootout import odds

    splits = any(action.startswith("split") for action in offered)
    left = DECK * book.ranking.decks - len(held)
    ways = comb(left, len(held)) * comb(left - len(held), 5)
    sentence = (
        f"Exact average over all {ways:,} deals of the dealer's cards and the board. "
        "The dealer follows the house way. Only the primary wager is included; a split stakes it twice."
    )
    choices = (c for c in odds(book, held) if splits or not c.action.startswith("split"))
    return {choice.action: choice.value for choice in choices}, ways, sentence


def _wagers(terms: Terms) -> Data:
    """Return the side bets of a game."""
    from houseway.exact import wagers
    from houseway.report.solution_data import wager

    priced = wagers(terms)
    return {"wagers": {name: {t: wager(v) for t, v in by.items()} for name, by in priced.items()}}


def _is_close(values: Mapping[str, Fraction]) -> bool:
    """True if checking and the best play have nearly the same value."""
    plays = [worth for name, worth in values.items() if name != "check"]
    return "check" in values and bool(plays) and abs(max(plays) - values["check"]) <= CLOSE


def _rated(values: Mapping[str, Fraction], stake: int) -> list[Data]:
    """Return each choice with its value, in stakes and in dollars, and its cost compared with the best."""
    from houseway.report.solution_data import number

    ranked = sorted(values.values(), reverse=True)
    best = max(values, key=values.__getitem__, default="")
    # The best choice is a close call if the second best is nearly as good.
    lead = ranked[0] - ranked[1] if len(ranked) > 1 else CLOSE + 1
    rated = []
    for name, worth in values.items():
        costs, amount = ranked[0] - worth, round(worth * stake)
        rated.append(
            {
                "says": _choice_label(name),
                "action": name,
                **number(worth),
                "dollars": ("" if amount < 0 else "+") + dollars(amount),
                "cents": amount,
                "costs": float(costs),
                "best": name == best,
                "close": (lead if name == best else costs) <= CLOSE,
            }
        )
    return rated


def _choice_label(action: str) -> str:
    if action[:1].isdecimal():
        return f"Play {action.removesuffix('x')}×"
    return capital(action)


def _ways(board: int) -> tuple[int, str]:
    """Return how many deals are possible from here, and the name of the unseen cards."""
    from houseway.exact.advice import TURNS_AND_RIVERS
    from houseway.exact.pay_arrays import DEALER_HANDS, DEALS_PER_HAND

    if board == 0:
        return DEALS_PER_HAND, "the board and the dealer's cards"
    if board < 5:
        return TURNS_AND_RIVERS * DEALER_HANDS, "the turn, the river and the dealer's cards"
    return DEALER_HANDS, "the dealer's cards"


def held_words(table: Table, held: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """Return the name of the hand that the cards make with the board. Before the flop, name the cards."""
    if len(held) == 2 and board:
        words = hand_words(table, map(str, held), map(str, board))
    elif len(held) == 2 and held[0].rank == held[1].rank:
        words = f"pair of {plural(held[0].rank)}"
    else:
        words = ", ".join(RANK_WORDS[card.rank] for card in sorted(held, key=lambda c: -c.rank))
        suited = len({card.suit for card in held}) == 1
        words += ", suited" if suited and len(held) == 2 else ""
    return capital(words)
