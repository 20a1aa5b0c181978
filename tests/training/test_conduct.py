"""What people do at a table: every kind happens, is handled rightly, wrongly, late and not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.play.chair_felt import unanswered_bets
from houseway.rules.loader import load, rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training import conduct as k
from houseway.training.model_dealer import right_act
from houseway.training.perform import behave, perform
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck
from houseway.training.scenarios.player_conduct import possible_conduct
from houseway.training.scenarios.rulebook_comparison import CANNOT, SILENT, usual_handling
from houseway.training.scene_words import conduct_words
from houseway.training.words import verdict_words
from training.people import Trainee, deck
from training.sessions import Session
from training.test_happenings import plain_terms

PLACES = [(book, mode) for book in rulebook_ids() for mode in load(book).modes]
EVERY_KIND = ScenarioDeck(
    name="all", cards=tuple(ScenarioCard(kind=kind, rounds=tuple(range(1, 9))) for kind in k.CONDUCT)
)
REFUSED = [
    # The clauses are those of the documents.
    # The late bet is a progressive bet, which MA-6.b-a does not name.
    (k.LATE_BET, "uth-ma", "manual", "MA-6.b-b", a.Refuse(seat=2, what="bet")),
    (k.LATE_BET, "shootout-sd", "manual", "TS-7-a", a.Refuse(seat=2, what="bet")),
    (k.CAPPED_BET, "uth-ma", "device", "MA-6.b-b", a.Refuse(seat=2, what="bet")),
    (k.TAKE_BACK, "uth-ma", "manual", "MA-6.b-b", a.Refuse(seat=2, what="take-back")),
    (k.OUT_OF_TURN, "uth-ma", "manual", "MA-7.f.1-a", a.Refuse(seat=2, what="decision")),
    (k.OUT_OF_TURN, "uth-proc", "device", "MA-9.a-b", a.Refuse(seat=2, what="decision")),
    (k.STAND, "uth-proc", "device", "PROC-H.9", a.Warn(seat=2)),
    (k.STAND, "uth-ma", "manual", "MA-6.e-b", a.Warn(seat=2)),
    (k.LEAVE, "uth-card", "manual", "CARD-28", a.Warn(seat=2)),
    (k.TOUCH, "uth-proc", "device", "PROC-D.2-c", a.Warn(seat=2)),
    (k.TWO_HANDS, "uth-proc", "device", "PROC-D.2-d", a.Warn(seat=2)),
    (k.SHOWN, "uth-ma", "manual", "MA-7.f", a.Warn(seat=2)),
    (k.SHOWN, "uth-card", "device", "MA-9.a-a", a.Warn(seat=2)),
]


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_every_kind_happens_and_is_handled_by_the_document(rulebook: str, mode: str) -> None:
    at = Trainee(rulebook, mode, EVERY_KIND, rounds=8).deal()
    assert at.slips == []
    table = at.session.table
    kinds = {one.kind for one in at.happened}
    impossible = {kind for kind in k.CONDUCT if usual_handling(table, kind).act == CANNOT}
    tipped = any(entry.input.tips for entry in at.entries if hasattr(entry.input, "tips"))
    # A clean trainee pays nobody too little. A tip that the table takes is a bet like any other.
    assert kinds - {k.TIP} == set(k.CONDUCT) - {k.RIGHT_DISPUTE, k.TIP} - impossible
    assert (k.TIP in kinds) != tipped
    for one in at.opened:
        usual = usual_handling(table, one.conduct.kind)
        if usual.clause is not None:
            # Each betting point may have its own clauses about the order and about hands with a play wager.
            stages, asks = table.stages.values(), [s for s in table.steps.values() if s.act == "ask"]
            own: dict[str, set[str | None]] = {
                k.LATE_BET: {"MA-6.b-b", "MA-12.a"},
                k.CAPPED_BET: {table.cite(stage.locks) for stage in stages if stage.locks} | {"MA-6.b-b"},
                k.OUT_OF_TURN: {table.clause(step, "order") or table.clause(step) for step in asks},
            }
            assert one.clause in {usual.clause, *own.get(one.conduct.kind, ())}, one
        if usual.act == SILENT:
            assert not one.judged, one
    judged = [one for one in at.opened if one.judged]
    score = at.session.score
    assert score.conduct == score.conduct_right == len(judged) > 10
    again = at.replayed()
    assert again.judgements == at.session.judgements
    assert again.score == score
    assert again.chair == at.session.chair


def answered(at: Trainee, act: a.ChairAct | None) -> bool:
    """The right act answers what a player did."""
    return any(one.right == act for one in at.session.chair.conduct)


@pytest.mark.parametrize(("kind", "rulebook", "mode", "clause", "right"), REFUSED)
def test_conduct_is_judged_by_its_clause(
    kind: str, rulebook: str, mode: str, clause: str, right: a.ChairAct
) -> None:
    scenario = deck(kind, at="seat 2")
    # Handled at once.
    at = Trainee(rulebook, mode, scenario, seats=2).deal()
    assert [one.kind for one in at.happened] == [kind]
    assert (at.opened[0].right, at.opened[0].clause) == (right, clause)
    assert at.slips == []
    # Never handled.
    at = Trainee(rulebook, mode, scenario, seats=2).deal(lambda at, act: _ignore(at))
    (slip,) = at.slips
    assert (slip.kind, slip.clause, slip.due, slip.act) == (ch.MISSED, clause, right, None)
    assert verdict_words(slip).startswith(f"Not handled: {kind}, seat 2. Due: ")
    assert (at.session.score.conduct, at.session.score.conduct_right) == (1, 0)
    # Handled in the wrong way.
    wrong = a.Warn(seat=2) if isinstance(right, a.Refuse) else a.Refuse(seat=2, what="bet")
    at = Trainee(rulebook, mode, scenario, seats=2).deal(
        lambda at, act: [wrong] if answered(at, act) else None
    )
    (slip,) = at.slips
    assert (slip.kind, slip.clause, slip.due, slip.act) == (ch.WRONG_HANDLING, clause, right, wrong)
    assert (at.session.score.conduct, at.session.score.conduct_right) == (1, 0)


def _ignore(at: Trainee) -> Sequence[a.ChairAct] | None:
    act = at.ignoring()
    return [act] if act is not None else None


@pytest.mark.parametrize(
    ("kind", "rulebook", "mode", "clause", "right"),
    [case for case in REFUSED if case[0] not in (k.OUT_OF_TURN,)],
)
def test_a_late_answer_is_a_slip(
    kind: str, rulebook: str, mode: str, clause: str, right: a.ChairAct
) -> None:
    """After another act; or after more than ten seconds."""
    at = Trainee(rulebook, mode, deck(kind, at="seat 2"), seats=2)

    def first(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        other = at.ignoring()
        return [other, act] if answered(at, act) and act is not None and other is not None else None

    at.deal(first)
    (slip,) = at.slips
    assert (slip.kind, slip.clause, slip.act) == (ch.LATE, clause, right)
    assert verdict_words(slip) == f"Handled late: {kind}, seat 2."

    def slowly(at: Trainee, act: a.ChairAct | None) -> None:
        at.time += 10_000 if answered(at, act) else 0

    at = Trainee(rulebook, mode, deck(kind, at="seat 2"), seats=2).deal(slowly)
    assert [(slip.kind, slip.clause) for slip in at.slips] == [(ch.LATE, clause)]


def test_a_decision_out_of_turn_counts_if_nobody_refuses_it() -> None:
    """It waits for the player's turn. A refused player decides again when asked."""
    scenario = deck(k.OUT_OF_TURN, at="seat 2")
    ignored = Trainee("uth-ma", "manual", scenario, seats=2).deal(lambda at, act: _ignore(at))
    refused = Trainee("uth-ma", "manual", scenario, seats=2).deal()
    assert asked_before_flop(ignored) == [1]
    assert asked_before_flop(refused) == [1, 2]

    def too_late(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        counted = bool(at.opened) and isinstance(at.entries[-1].input, c.Check | c.Play)
        late = a.Refuse(seat=2, what="decision")
        return [late] if counted and late not in [x.input for x in at.entries] else _ignore(at)

    # Once the decision counts, there is nothing left to refuse.
    at = Trainee("uth-ma", "manual", scenario, seats=2).deal(too_late)
    assert [slip.kind for slip in at.slips] == [ch.MISSED, ch.NOT_DUE]


def asked_before_flop(at: Trainee) -> list[int]:
    """The seats that were asked before the first card was burned."""
    burned = next(n for n, entry in enumerate(at.entries) if isinstance(entry.input, a.Burn))
    return [entry.input.seat for entry in at.entries[:burned] if isinstance(entry.input, a.Ask)]


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_a_wrong_bet_is_refused_or_put_right_by_the_floor(rulebook: str, mode: str) -> None:
    scenario = deck(k.WRONG_CHIPS, at="seat 1")
    for seed in ("1", "2", "3", "4"):
        at = Trainee(rulebook, mode, scenario, seed=seed).deal()
        (one,) = at.opened
        assert one.right == a.Refuse(seat=1, what="bet")
        assert one.clause is not None
        assert at.slips == []
        then, bets = one.conduct.then, bets_of(at, 1)
        assert bets is not None
        assert bets.items() >= then.wagers.items()  # type: ignore[union-attr]
        # A trainee who closes the betting without refusing: the floor has the bet put right.
        missed = Trainee(rulebook, mode, scenario, seed=seed).deal(lambda at, act: _ignore(at))
        assert [(slip.kind, slip.clause) for slip in missed.slips] == [(ch.MISSED, one.clause)]
        assert bets_of(missed, 1) == bets


def bets_of(at: Trainee, seat: int) -> dict[str, int] | None:
    """The wagers that a seat placed, from the events."""
    events = (change.event for entry in at.entries for change in entry.changes)
    placed = [one for one in events if type(one).__name__ == "WagersPlaced" and one.seat == seat]  # type: ignore[attr-defined]
    return dict(placed[-1].wagers) if placed else None  # type: ignore[attr-defined]


def test_wrong_bets_are_of_many_kinds() -> None:
    """Too small, unequal, a side bet alone, cash and spoken bets; each with its own clause."""
    clauses = set()
    for seed in range(30):
        at = Trainee("uth-ma", "manual", deck(k.WRONG_CHIPS), seed=str(seed))
        while not at.opened and not at.session.over:
            at.deal_one()
        clauses.add(at.opened[0].clause)
    assert {"MA-6.a-a", "MA-6.a-c", "MA-6.c-a"} <= clauses
    assert len(clauses) >= 4


def test_tips_are_taken_if_the_document_allows_them() -> None:
    """South Dakota has a clause about tips; the card does not offer them; Massachusetts does not say."""
    at = Trainee("uth-sd", "manual", deck(k.TIP, at="seat 1"), rounds=2, seed="2").deal()
    bets = [entry.input for entry in at.entries if isinstance(entry.input, c.Bet) and entry.input.tips]
    assert [bet.seat for bet in bets] == [1]
    assert (at.happened, at.slips) == ([], [])
    refused = Trainee("uth-card", "manual", deck(k.TIP, at="seat 1")).deal()
    (one,) = refused.opened
    assert one.right == a.Refuse(seat=1, what="tip")
    assert one.clause is not None
    missed = Trainee("uth-card", "manual", deck(k.TIP, at="seat 1")).deal(lambda at, act: _ignore(at))
    assert [(s.kind, s.clause) for s in missed.slips] == [(ch.MISSED, one.clause)]
    silent = Trainee("uth-ma", "manual", deck(k.TIP, at="seat 1")).deal(lambda at, act: _ignore(at))
    assert [one.kind for one in silent.happened] == [k.TIP]
    assert silent.slips == []


# --- disputes ---


def underpaid(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
    """Pay the first winner nothing but one cent."""
    paid = any(isinstance(entry.input, a.Pay) for entry in at.entries)
    if isinstance(act, a.Pay) and not paid and not act.tip:
        return [a.Pay(seat=act.seat, wager=act.wager, hand=act.hand, chips={1: 1})]
    return None


def test_a_player_who_got_too_little_complains_and_is_right() -> None:
    at = Trainee("uth-ma", "manual", deck(k.RIGHT_DISPUTE), rounds=6).deal(underpaid)
    (dispute,) = at.opened
    paid = next(one.input for one in at.entries if isinstance(one.input, a.Pay))
    assert isinstance(dispute.right, a.CorrectPayment)
    assert (dispute.right.seat, dispute.right.wager) == (paid.seat, paid.wager)
    (slip,) = at.slips
    assert (slip.kind, slip.cured) == (ch.WRONG_AMOUNT, True)
    assert slip.clause == dispute.clause
    assert at.session.score.gross == 0

    def denied(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        if isinstance(act, a.CorrectPayment):
            return [a.LetStand(seat=act.seat, wager=act.wager, hand=act.hand)]
        return underpaid(at, act)

    at = Trainee("uth-ma", "manual", deck(k.RIGHT_DISPUTE), rounds=6).deal(denied)
    assert [(one.kind, one.clause) for one in at.slips] == [
        (ch.WRONG_AMOUNT, dispute.clause),
        (ch.WRONG_HANDLING, dispute.clause),
    ]
    assert at.session.score.under > 0


@pytest.mark.parametrize(("rulebook", "mode"), [("uth-sd", "manual"), ("shootout-sd", "manual")])
def test_a_player_who_was_paid_rightly_complains_in_vain(rulebook: str, mode: str) -> None:
    scenario = deck(k.WRONG_DISPUTE)
    at = Trainee(rulebook, mode, scenario).deal()
    (dispute,) = at.opened
    assert isinstance(dispute.right, a.LetStand)
    events = [change.event for entry in at.entries for change in entry.changes]
    lines = [one for one in events if type(one).__name__ == "WagerSettled"]
    wager = (dispute.right.seat, dispute.right.hand, dispute.right.wager)
    assert dispute.clause in {x.clause for x in lines if (x.seat, x.hand, x.wager) == wager}  # type: ignore[attr-defined]
    assert at.slips == []

    def given_in(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        if isinstance(act, a.LetStand):
            return [a.CorrectPayment(seat=act.seat, wager=act.wager, hand=act.hand)]
        return None

    at = Trainee(rulebook, mode, scenario).deal(given_in)
    assert [(s.kind, s.clause, s.due) for s in at.slips] == [
        (ch.WRONG_HANDLING, dispute.clause, dispute.right)
    ]
    ignored = Trainee(rulebook, mode, scenario).deal(lambda at, act: _ignore(at))
    assert [(s.kind, s.clause) for s in ignored.slips] == [(ch.MISSED, dispute.clause)]

    def floor(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        return [a.CallFloor(), act] if isinstance(act, a.LetStand) else None

    # The documents do not say whom to call about a dispute, so a call is not judged.
    assert Trainee(rulebook, mode, scenario).deal(floor).slips == []


# --- what no document says, and what nobody did ---


def test_what_the_document_does_not_say_is_not_judged() -> None:
    """South Dakota has no clause about touching cards; no document has one about talk and advice."""
    kinds = (k.TOUCH, k.TWO_HANDS, k.SHOWN, k.CHATTY, k.ADVICE, k.COLOUR_UP)
    for answer in (lambda at, act: _ignore(at), lambda at, act: None):
        at = Trainee("uth-sd", "manual", deck(*kinds), rounds=6).deal(answer)
        assert {one.kind for one in at.happened} == set(kinds)
        assert at.slips == []
        assert at.session.score.conduct == 0


@pytest.mark.parametrize(
    "act", [a.Refuse(seat=2, what="bet"), a.Warn(seat=1), a.LetStand(seat=1, wager="ante")]
)
def test_a_needless_answer_is_a_slip(act: a.ChairAct) -> None:
    def first_ask(at: Trainee, due: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        done = any(entry.input == act for entry in at.entries)
        return [act] if isinstance(due, a.Ask) and not done else None

    at = Trainee("uth-ma", "manual", ScenarioDeck()).deal(first_ask)
    (slip,) = at.slips
    assert (slip.kind, slip.clause, slip.act) == (ch.NOT_DUE, None, act)


def test_a_floor_call_is_needless_unless_something_needs_an_answer() -> None:
    def call(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        return [a.CallFloor(), act] if answered(at, act) and act is not None else None

    assert Trainee("uth-ma", "manual", deck(k.STAND)).deal(call).slips == []

    def call_about_talk(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        called = any(isinstance(entry.input, a.CallFloor) for entry in at.entries)
        return [a.CallFloor()] if at.opened and not called else None

    at = Trainee("uth-ma", "manual", deck(k.CHATTY)).deal(call_about_talk)
    assert [slip.kind for slip in at.slips] == [ch.NEEDLESS_CALL]


def test_chips_are_changed_for_the_amount_that_the_player_gave() -> None:
    """Whatever the trainee announces, the chips on the table count."""

    def cheat(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        if isinstance(act, a.ColourUp):
            less = dict.fromkeys(act.given, 1)
            return [a.ColourUp(seat=act.seat, taken=less, given=less)]
        return None

    right = Trainee("uth-ma", "manual", deck(k.COLOUR_UP)).deal()
    assert right.slips == []
    offered = sum(value * count for value, count in right.opened[0].conduct.chips.items())
    at = Trainee("uth-ma", "manual", deck(k.COLOUR_UP)).deal(cheat)
    (slip,) = at.slips
    given = next(entry.input for entry in at.entries if isinstance(entry.input, a.ColourUp)).given
    assert (slip.kind, slip.amount) == (ch.WRONG_AMOUNT, sum(given) - offered)
    assert slip.amount < 0


def test_a_wrong_payment_of_an_earlier_round_does_not_make_a_later_dispute_right() -> None:
    """The mistake of the first round stays on the books. In the second round, the payment is right."""
    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=1)
    at.bets = {1: {"ante": 1000}}
    at.moves = {(1, "ask before the flop"): "4x"}

    def too_little(at: Session) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        wrong = isinstance(right, a.Pay) and right.wager == "ante"
        return a.Pay(seat=1, wager="ante", chips={500: 1}) if wrong else None

    while not at.state.mispaid:
        at.play_round(too_little)
    at.play_to(lambda s: not s.state.round.settled)
    at.play_to(lambda s: any(line.wager == "ante" for line in s.state.round.settled))
    assert at.state.mispaid
    disputes = possible_conduct(at.table, at.chair, k.WRONG_DISPUTE)
    wrong = next(one for one in disputes if one.wager == "ante")
    assert possible_conduct(at.table, at.chair, k.RIGHT_DISPUTE) == ()
    chair = behave(at.table, at.chair, wrong, at.time)
    assert chair is not None
    assert chair.conduct[-1].right == a.LetStand(seat=1, wager="ante")
    stands = perform(at.table, chair, a.LetStand(seat=1, wager="ante"), at.time)
    assert stands.entries[-1].slips == ()
    corrected = perform(at.table, chair, a.CorrectPayment(seat=1, wager="ante"), at.time)
    assert [slip.kind for slip in corrected.entries[-1].slips] == [ch.WRONG_HANDLING]


def paying_wrongly(amounts: list[int]) -> Session:
    """A table of one player whose winning ante was paid wrongly once in each of the last rounds.

    `amounts` are the cents beyond the amount due, round by round. The last round is still open.
    """
    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=1)
    at.bets = {1: {"ante": 1000}}
    at.moves = {(1, "ask before the flop"): "4x"}
    for amount in amounts:
        paid: list[a.Pay] = []

        def wrongly(at: Session, paid: list[a.Pay] = paid, amount: int = amount) -> a.ChairAct | None:
            right = right_act(at.table, at.chair)
            if paid or not isinstance(right, a.Pay) or right.wager != "ante":
                return None
            paid.append(right)
            return replace(right, chips={100: (1000 + amount) // 100})

        while not paid:
            if at.chair.entries and right_act(at.table, at.chair) == a.TakeStep(what="close"):
                at.step()
            at.step(wrongly)
    return at


@pytest.mark.parametrize("earlier", [500, 300, 100, -300])
def test_a_right_dispute_is_right_whatever_was_paid_in_an_earlier_round(earlier: int) -> None:
    """The player was paid $3 too little in this round. An older error may even cancel it."""
    at = paying_wrongly([earlier, -300])
    chips = at.state.seats[1].chips
    (right,) = possible_conduct(at.table, at.chair, k.RIGHT_DISPUTE)
    chair = behave(at.table, at.chair, right, at.time)
    assert chair is not None
    assert chair.conduct[-1].right == a.CorrectPayment(seat=1, wager="ante")
    let_stand = perform(at.table, chair, a.LetStand(seat=1, wager="ante"), at.time)
    assert [slip.kind for slip in let_stand.entries[-1].slips] == [ch.WRONG_HANDLING]
    after = perform(at.table, chair, a.CorrectPayment(seat=1, wager="ante"), at.time)
    assert after.entries[-1].slips == ()
    assert after.entries[-1].cured
    assert after.state.seats[1].chips == chips + 300
    assert [amount for amount, _ in after.mispaid.values()] == [earlier]
    # The older error can still be corrected.
    older = perform(at.table, after, a.CorrectPayment(seat=1, wager="ante"), at.time)
    assert older.entries[-1].slips == ()
    assert (older.mispaid, older.state.mispaid) == ({}, {})
    assert older.state.seats[1].chips == chips + 300 - earlier


def test_a_dispute_after_the_close_of_a_round_is_about_that_round() -> None:
    at = paying_wrongly([-300])
    at.play_round()
    dispute = ch.Conduct(kind=k.RIGHT_DISPUTE, seat=1, wager="ante")
    chair = behave(at.table, at.chair, dispute, at.time)
    assert chair is not None
    assert chair.conduct[-1].right == a.CorrectPayment(seat=1, wager="ante")


def test_an_error_during_a_wrong_dispute_is_corrected_by_the_first_correction() -> None:
    """The payment was right. The dealer pays again because of the dispute, and takes it back at once."""
    at = Session("uth-ma", "manual", 0, given=plain_terms("uth-ma", "manual"), seats=1)
    at.bets, at.moves = {1: {"ante": 1000}}, {(1, "ask before the flop"): "4x"}
    at.play_to(lambda s: any(one.wager == "ante" and one.won for one in s.state.round.settled))
    wrong = next(
        one for one in possible_conduct(at.table, at.chair, k.WRONG_DISPUTE) if one.wager == "ante"
    )
    chips = at.state.seats[1].chips
    chair = behave(at.table, at.chair, wrong, at.time)
    assert chair is not None
    assert chair.conduct[-1].right == a.LetStand(seat=1, wager="ante")
    paid = perform(at.table, chair, a.Pay(seat=1, wager="ante", chips={500: 1}), at.time)
    assert paid.state.seats[1].chips == chips + 500
    corrected = perform(at.table, paid, a.CorrectPayment(seat=1, wager="ante"), at.time)
    assert corrected.state.seats[1].chips == chips
    assert corrected.entries[-1].cured
    assert corrected.mispaid == {}
    assert ch.WRONG_HANDLING not in [slip.kind for slip in corrected.entries[-1].slips]
    assert corrected.conduct == ()


@pytest.mark.parametrize(
    ("wager", "clause"), [("trips", "MA-6.b-a"), ("progressive", "MA-6.b-b"), ("cover_all", "MA-12.a")]
)
def test_a_late_bet_breaks_the_clause_that_names_it(wager: str, clause: str) -> None:
    """MA-6.b-a names the ante, the blind and trips, and MA-12.a Cover All; MA-6.b-b forbids every late wager."""
    at = Session("uth-ma", "device", 1, given=plain_terms("uth-ma", "device"))
    at.bets = {seat: {"ante": 500, "blind": 500} for seat in (1, 2, 3)}
    at.play_to(lambda at: at.state.round.betting == "closed")
    bet = c.Bet(by="seat 2", seat=2, wagers={"ante": 500, "blind": 500, wager: 500})
    rule = k.handling(at.table, at.state, ch.Conduct(kind=k.LATE_BET, seat=2, tries=bet), {})
    assert rule is not None
    assert (rule.right, rule.clause) == (a.Refuse(seat=2, what="bet"), clause)


def test_a_late_bet_is_only_the_chips_that_the_player_puts_down() -> None:
    """The progressive bet was collected before the deal, so it is no longer on the layout."""
    at = Session("uth-sd", "manual", 1, given=plain_terms("uth-sd", "manual"), seats=2)
    own = {"ante": 500, "blind": 500, "progressive": 100}
    at.bets = {1: own, 2: own}
    at.play_to(lambda at: bool(at.state.seats[1].hands[0].collected))
    late = ch.Conduct(kind=k.LATE_BET, seat=1, tries=c.Bet(seat=1, wagers={**own, "trips": 500}))
    assert conduct_words(late, at.state) == "Seat 1 puts down trips $5."
    chair = behave(at.table, at.chair, late)
    assert chair is not None
    assert unanswered_bets(chair) == {1: " Waiting for your answer: trips $5."}
