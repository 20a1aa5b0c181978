"""A table: its terms, with the steps of its procedure indexed for quick lookup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from houseway.engine.events import StepTaken
from houseway.engine.meters import DOLLAR, seed
from houseway.engine.settlement_plan import SettlementPass
from houseway.engine.state import State
from houseway.engine.terms import Terms
from houseway.money import cents, spoken
from houseway.rules.options import SHOOTOUT
from houseway.rules.procedure import SECTIONS, Irregularity, Step
from houseway.rules.stages import Stage
from houseway.rules.toml_reader import Basis, Cited

SETTING: Final = re.compile(r"\{(\w+)\}")

LINK_AMOUNTS: Final = {"seeds": "seed", "reserve": "reserve"}
"""The amounts of each meter that all tables of a linked meter share, with their names in refusals. A table
that has not chosen a reserve takes over the meter's."""


class Due(msgspec.Struct, frozen=True, gc=False):
    """The step that is due, with its section and deck."""

    section: str
    step: Step
    deck: int = 0


class Table:
    """Everything that does not change while a table is open."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.book = book = terms.rulebook
        self.mode = terms.mode
        self.cite = terms.cite
        self.shootout = book.game == SHOOTOUT
        procedure = book.procedure
        self.sections: dict[str, tuple[Step, ...]] = {
            name: tuple(step for step in procedure.steps(name) if self._has(step)) for name in SECTIONS
        }
        self.after = {
            name: {step.name: n for n, step in enumerate(steps, 1)} | {"": 0}
            for name, steps in self.sections.items()
        }
        self.steps = {step.name: step for steps in self.sections.values() for step in steps}
        self.standing = procedure.standing
        self.names_persons = "auto_approve" in book.house
        """True if approvals, verifications and confirmations need a named person."""
        envy_left = [step.rules["envy_left"] for step in self.steps.values() if "envy_left" in step.rules]
        self.reads_folds = all(rule.value is not True for rule in envy_left)
        """True if a folded hand with a progressive must be seen. False under old rulebooks, whose rule
        `envy_left` has no value: the dealer could take the hand unseen if the board alone won nothing."""
        self.finds_dealt_cards = "seated_wagers" in self.standing
        """True if a report of a face-up card may name the place that the card was dealt to. False under old
        rulebooks, which do not have the rule: there, every report was about the next card."""
        self.cues = procedure.cues
        self.stages = {stage.name: stage for stage in book.stages}
        self.passes: dict[str, SettlementPass] = {
            p.name: terms.plan.passes[n] for n, p in enumerate(book.settlement)
        }
        self._directions: dict[str, Cited[str] | None] = {p.name: p.direction for p in book.settlement}
        self._own_directions = {p.name: p.unqualified for p in book.settlement}
        self.hand_size = self._cards_to("players")
        self.settled_size = int((book.option("keep") if self.shootout else None) or self.hand_size)
        """The number of cards in a hand at settlement."""
        self.dealer_size = self._cards_to("dealer")
        self.board_size = self._cards_to("board")
        self.sizes = {"player": self.hand_size, "dealer": self.dealer_size, "board": self.board_size}
        """The number of cards for each kind of place."""
        self.entry_wager = "wager" if self.shootout else "ante"
        self.decks = terms.house("decks") or 1
        self.deck_size = 52 * book.ranking.decks
        self.seats = terms.house("seats") or book.seats
        self.meters = tuple(terms.in_use["progressive"].meters) if "progressive" in terms.in_use else ()
        self.link_terms: dict[str, Any] = {
            "table": terms.tables.get("progressive"),
            "wager": terms.progressive_amount[0],
            "decks": book.ranking.decks,
            "clause": terms.clause("linked_games"),
        }
        """The terms that must be the same at all tables of a linked meter, and the clause that requires it.

        They are the pay table, the wager, the number of decks, and the amounts that a full award resets a
        meter to."""
        reserves = terms.house("reserve") or {}
        stake = terms.progressive_amount[0] or DOLLAR
        if self.meters:
            self.link_terms["seeds"] = {name: seed(terms, name, stake) for name in self.meters}
            self.link_terms["reserve"] = {name: reserves.get(name, 0) for name in self.meters}
        self.burns = sum(step.each for step in self.sections["round"] if step.act == "burn")
        self.collects = any(step.act == "collect progressive" for step in self.sections["round"])
        self._first: dict[str, Step] = {}
        for step in self.steps.values():
            self._first.setdefault(step.act, step)
        self._clauses = {
            name: {"": self.cite(step.basis)} | {rule: self.cite(s) for rule, s in step.rules.items()}
            for name, step in self.steps.items()
        }
        self.last_due: tuple[State | None, Due | None] = (None, None)
        """A cache with one entry: a state and the step that is due in it. States never change."""
        self.ahead: dict[tuple[str, str], tuple[tuple[Step, Any], ...]] = {}
        """A cache of the steps after each step, by section and name, with their conditions."""
        self.plain_steps: dict[tuple[str, str, bool], StepTaken] = {}
        """A cache of the StepTaken events of plain steps, by section, name, and whether the dealer fails to
        qualify, which can change the clause."""
        self.last_unserved: tuple[State | None, Step | None, list[str]] = (None, None, [])
        """A cache with one entry: a state, a deal and the places that have not received their cards yet."""

    def _has(self, step: Step) -> bool:
        """True if the deal mode and the house settings of the table include a step."""
        if step.modes and self.mode not in step.modes:
            return False
        return not step.when or any(
            all(self._holds(name, value) for name, value in alternative.items())
            for alternative in step.when
        )

    def _holds(self, name: str, value: Any) -> bool:
        actual = self.terms.house(name)
        return actual in value if isinstance(value, list) else actual == value

    def _cards_to(self, target: str) -> int:
        return sum(s.each * s.times for s in self.sections["round"] if s.act == "deal" and target in s.to)

    def stage_of(self, step: Step) -> Stage | None:
        """Return the betting point of a step, or None."""
        return self.stages.get(step.stage)

    def item(self, step: Step, state: State) -> str:
        """Return the item that a step confirms; a setting's name in braces is replaced by its value."""
        cited = step.rules.get("item")
        words = str(cited.value) if cited is not None else step.name
        return SETTING.sub(lambda match: self._written(match[1], state), words)

    def _written(self, name: str, state: State) -> str:
        if name.endswith("_table"):
            return str(self.terms.tables.get(name.removesuffix("_table")))
        value = state.settings.get("house", {}).get(name)
        setting = self.book.house.get(name)
        return spoken(cents(value)) if setting is not None and setting.kind == "money" else str(value)

    def rule(self, name: str) -> str | None:
        """Return the clause of a rule of the table itself (not of a step), or None if there is none."""
        return self.cite(self.standing.get(name))

    def find(self, act: str) -> Step | None:
        """Return the first step that performs an act, or None."""
        return self._first.get(act)

    def clause(self, step: Step, rule: str = "") -> str | None:
        """Return the clause of a step or of one of its rules."""
        return self._clauses[step.name].get(rule)

    def clause_now(self, step: Step, state: State) -> str | None:
        """Return the clause of a step; a pass may have another one if the dealer does not qualify."""
        own = self.unqualified(step, state)
        return self.cite(own) if own is not None else self.clause(step)

    def direction(self, step: Step, state: State) -> str | None:
        """Return the clause of the direction in which a step goes around the table."""
        usual = self._directions.get(step.pass_name)
        return (
            self.cite(usual)
            if usual and not self.unqualified(step, state)
            else self.clause_now(step, state)
        )

    def unqualified(self, step: Step, state: State) -> Basis | None:
        """Return the basis that a pass has because the dealer does not qualify, or None."""
        own = self._own_directions.get(step.pass_name) if state.round.qualifies is False else None
        return own.basis if own is not None else None

    def wrong(self, kind: str, facts: Mapping[str, Any]) -> Irregularity | None:
        """Return the rulebook's first row that fits an irregularity, or None."""
        rows = self.book.procedure.irregularities
        return next((row for row in rows if row.kind == kind and row.fits(facts)), None)
