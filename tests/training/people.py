"""A trainee at a table of people: follows the document, unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from houseway.engine.terms import read_terms
from houseway.live.default_terms import card_backs, offering
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import Verdict
from houseway.training.model_dealer import right_act
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck
from houseway.training.session import SessionPlan, TrainingSession
from houseway.training.session_file import SessionWriter, read_session, replay_session

SECOND = 1000
LIMIT = 6000
"""The number of acts after which a session counts as stuck."""
Change = Callable[["Trainee", "a.ChairAct | None"], "Sequence[a.ChairAct] | None"]


def deck(*kinds: str, **facts: Any) -> ScenarioDeck:
    """A deck in which each kind happens in the first round in which it can."""
    cards = (ScenarioCard(kind=kind, **({"rounds": (1,)} | facts)) for kind in kinds)
    return ScenarioDeck(name="test", cards=tuple(cards))


class Trainee:
    """A trainee with a session."""

    def __init__(
        self,
        rulebook: str,
        mode: str,
        scenario: ScenarioDeck,
        *,
        rounds: int = 1,
        seats: int = 3,
        seed: str = "1",
        house: Mapping[str, Any] | None = None,
    ) -> None:
        book = load(rulebook)
        terms = offering(book, mode, {}, {})
        terms = {**terms, "house": {**terms.get("house", {}), **(house or {})}}
        plan = SessionPlan(
            rulebook=rulebook,
            hash=book.hash,
            terms=terms,
            seats=seats,
            rounds=rounds,
            seed=seed,
            backs=card_backs(read_terms(book, terms)[0]),
            scenario=scenario,
        )
        self.session = TrainingSession(plan, book)
        self.book = book
        self.time = 0
        self.entries: list[ch.ChairEntry] = []
        self.opened: list[ch.OpenConduct] = []
        """The conduct that happened, as the chair judged it when it happened."""

    def deal(self, change: Change = lambda at, act: None) -> Trainee:
        """Deal every round. `change` returns other acts in place of the right one, or None."""
        waiting: list[a.ChairAct] = []
        for _ in range(LIMIT):
            if self.session.over:
                return self
            act = right_act(self.session.table, self.session.chair)
            waiting = waiting or list(change(self, act) or ())
            self.act(waiting.pop(0) if waiting else act)
        raise AssertionError("the session did not end")

    def deal_one(self) -> None:
        """Do the right act, or wait."""
        self.act(right_act(self.session.table, self.session.chair))

    def act(self, act: a.ChairAct | None) -> None:
        """Act after a second, or wait for the next thing that happens by itself."""
        if act is None:
            wakes = self.session.wakes_at
            assert wakes is not None, "nothing is due"
            self.time = max(self.time, wakes)
            entries = self.session.tick(self.time)
        else:
            self.time += SECOND
            entries = self.session.act(act, self.time)
        self.entries += entries
        before = {one.since for one in self.opened}
        self.opened += [one for one in self.session.chair.conduct if one.since not in before]

    def ignoring(self) -> a.ChairAct | None:
        """The act of a trainee who does not notice what people do."""
        return right_act(self.session.table, replace(self.session.chair, conduct=()))

    def ignoring_all(self) -> a.ChairAct | None:
        """The act of a trainee who does not notice irregularities either."""
        return right_act(self.session.table, replace(self.session.chair, conduct=(), open=()))

    @property
    def slips(self) -> list[Verdict]:
        """The slips of every closed round."""
        return [slip for one in self.session.judgements for slip in one.slips]

    @property
    def happened(self) -> list[ch.Conduct | ch.Happening]:
        """What people did and what went wrong, in order."""
        inputs = (entry.input for entry in self.entries)
        return [one for one in inputs if isinstance(one, ch.Conduct | ch.Happening)]

    def replayed(self) -> TrainingSession:
        """The session, written to a file, read and played again."""
        writer = SessionWriter()
        lines = [writer.header(self.session.plan), *map(writer.line, self.session.inputs)]
        plan, inputs = read_session(b"".join(lines))
        assert plan == self.session.plan
        return replay_session(plan, inputs, self.book)
