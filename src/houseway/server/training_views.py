"""Messages about hosted training sessions: the chair's view, the review of a round, and the score."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from houseway.client import training_messages as t
from houseway.client.layout_spots import betting_spot
from houseway.client.messages import Reply
from houseway.engine.table import Table
from houseway.report.exam_result import ExamResult
from houseway.report.score_sheet import fact_lines
from houseway.rules.rulebook import game_title_of, place_of
from houseway.rules.wagers import Wager
from houseway.server.table_sheets import deal_note, limits_text, side_bet_notes, table_notes
from houseway.training import acts as a
from houseway.training.act_list import due_text, judged_act_text, verdict_text
from houseway.training.chair import ChairEntry
from houseway.training.chair_view import YOU, chair_event, chair_events, chair_felt, speechless_words
from houseway.training.chips import tray_values
from houseway.training.conduct import unjudged_conduct
from houseway.training.hosted_session import HostedSession
from houseway.training.judge import DISPUTED, RIGHT, Verdict
from houseway.training.ruling_review import cited
from houseway.training.ruling_verdicts import RowVerdict
from houseway.training.slip_facts import drill_for, paid_cents, seat_of_verdict
from houseway.training.words import amount_words, round_words, score_lines

SPOKEN = (a.ReadHand,)
"""The acts that are announcements."""
WAKES = 1000
"""The milliseconds after which the client asks again, if something may happen by itself."""
LOGGED = 200
"""The most of the trainee's own acts in a view."""
HEARD = 12
"""The most announcements in a view."""


def chair_view(room: HostedSession, clock: int) -> t.ChairView:
    """Return a session as the dealer sees it at a time of its clock."""
    session = room.session
    table, plan, opening = session.table, session.plan, room.opening
    terms = table.terms
    wagers = _wagers(table)
    events = room.shown(chair_events(table, session.chair.entries, session.state))
    moved = room.move_event
    events += (moved,) if moved is not None else ()
    judged = len(session.judgements)
    return t.ChairView(
        session=opening.session,
        rulebook=table.book.id,
        title=table.book.title,
        mode=table.mode,
        limits=limits_text(terms),
        notes=tuple(table_notes(terms, wagers)),
        tables=dict(terms.named_tables),
        way=opening.way,
        progress=room.progress,
        round=min(judged + 1, plan.rounds),
        rounds=plan.rounds,
        judged=judged,
        clock=clock,
        felt=_felt(room),
        tray=tuple(sorted(tray_values(table))),
        spots=tuple(
            betting_spot(t.ChairSpot, table.terms, wager)
            for wager in wagers
            if not wager.group.on_other_hands
        ),
        unplaced={one.name: one.title for one in wagers if one.group.on_other_hands},
        places=table.seats,
        hand_size=table.hand_size,
        board_size=table.board_size,
        hands=tuple(table.terms.order),
        acts=room.acts,
        irregularities=room.irregularities,
        announcements=tuple(map(room.without_gap, _announcements(events, session.chair.entries))),
        log=tuple(room.without_gap(event) for event in events if event.who == YOU)[-LOGGED:],
        stopped=room.form,
        exam=room.exam_view(clock),
        scenario="" if room.run is not None else plan.scenario.name if room.lively else "",
        # The seed gives the cards away, so it stays secret until the session is over.
        seed="" if room.progress == "open" else plan.seed,
        # The same for every session in which something may happen, whether it will or not.
        wakes=WAKES if room.lively and room.progress == "open" else None,
        place=table.book.place,
        side_bets=tuple(side_bet_notes(terms, wagers)),
        dealt=deal_note(terms),
    )


def _wagers(table: Table) -> list[Wager]:
    """Return the wagers of the table's deal mode."""
    return [one for one in table.terms.wagers if one.modes is None or table.mode in one.modes.value]


def _felt(room: HostedSession) -> t.ChairFelt:
    """Return the felt now, with the words of players who cannot decide."""
    session = room.session
    felt = chair_felt(session.table, session.chair, session.stub)
    says = speechless_words(session.state, session.speechless())
    if not says:
        return felt
    return replace(felt, seats=tuple(replace(one, says=says.get(one.seat, one.says)) for one in felt.seats))


def _announcements(
    events: Iterable[t.ChairEvent], entries: Iterable[ChairEntry]
) -> tuple[t.ChairEvent, ...]:
    """Return the last words at the table: those of the players, and the hands that the trainee read."""
    spoken = {one.number for one in entries if isinstance(one.input, SPOKEN)}
    heard = [one for one in events if one.who != YOU or one.number in spoken]
    return tuple(heard[-HEARD:])


# --- after a round ---


def round_review(room: HostedSession, number: int) -> t.RoundReview:
    """Return the judgement of a closed round, with the felt after each of its inputs."""
    session = room.session
    judgement = session.judgements[number - 1]
    table = session.table_at(judgement.entries[-1].number)
    over, under = judgement.mispaid
    (before, stub), *moments = room.moments(number)
    steps = []
    for chair, left in moments:
        event = chair_event(table, chair.entries[-1], chair.state)
        if event is not None:
            steps.append(t.ReviewStep(event=event, felt=chair_felt(table, chair, left)))
    return t.RoundReview(
        session=room.opening.session,
        round=number,
        slips=len(judgement.slips),
        over=over,
        under=-under,
        words=f"Round {number} of {session.plan.rounds}: {round_words(judgement)}.",
        verdicts=tuple(verdict_view(table, verdict) for verdict in judgement.verdicts),
        before=chair_felt(table, before, stub),
        steps=tuple(steps),
        unjudged=tuple(
            f"{conduct.kind}, seat {conduct.seat}" for conduct in unjudged_conduct(table, judgement.entries)
        ),
    )


def verdict_view(table: Table, verdict: Verdict) -> t.VerdictView:
    """Return a verdict in words, with its clause."""
    due = verdict.right_words if isinstance(verdict, RowVerdict) else due_text(table, verdict)
    return t.VerdictView(
        entry=verdict.entry,
        time=verdict.time,
        kind=verdict.kind,
        right=verdict.kind in (RIGHT, DISPUTED),
        words=verdict_text(table, verdict),
        did=_did(table, verdict),
        due=due,
        clause=cited(table.book, verdict.clause),
        amount=verdict.amount,
        money=amount_words(verdict.amount) if verdict.amount else "",
        cured=verdict.cured,
        seat=seat_of_verdict(verdict),
        paid=paid_cents(verdict),
        drill=drill_for(verdict),
    )


def _did(table: Table, verdict: Verdict) -> str:
    if isinstance(verdict, RowVerdict):
        return verdict.given_words
    return judged_act_text(table, verdict)


def score_view(room: HostedSession) -> t.ScoreView:
    """Return the score of the closed rounds."""
    score = room.session.score
    return t.ScoreView(
        session=room.opening.session,
        rounds=score.rounds,
        slips=score.slips,
        slips_per_round=score.slips_per_round,
        kinds=score.kinds,
        clauses=score.clauses,
        over=score.over,
        under=score.under,
        gross=score.gross,
        net=score.net,
        corrected=score.corrected,
        payments=score.payments,
        payments_right=score.payments_right,
        payments_per_minute=score.payments_per_minute,
        payment_time=score.payment_time,
        hands_read=score.hands_read,
        hands_read_right=score.hands_read_right,
        irregularities=score.irregularities,
        reported=score.reported,
        time=score.time,
        rounds_per_hour=score.rounds_per_hour,
        lines=tuple(score_lines(score)),
    )


class SheetFact(Reply, frozen=True):
    """A fact besides the score, such as the earlier attempts, as the score sheet prints it."""

    name: str
    words: str


class ExamSheet(Reply, frozen=True):
    """The result of an exam, and what its score sheet needs besides."""

    session: str
    result: ExamResult
    score: int
    """The share of judged acts that were right, in percent."""
    within: dict[str, bool]
    """For each measure, True if it is within its limit."""
    bars: dict[str, tuple[float, float]]
    """For each measure, the lengths of its bar and of the part before the limit's tick."""
    facts: tuple[SheetFact, ...]
    """Attempts, interruptions, planted irregularities, terms of the table, seed and hashes, in words."""
    signed: bool = False
    """True if the house has signed a certificate for it."""
    place: str = ""
    """The short name of the rulebook, from its title: "Massachusetts"."""
    game_title: str = ""
    """The game in the title of the rulebook: "Ultimate Texas Hold'em"."""


def exam_sheet(room: HostedSession) -> ExamSheet:
    """Return the result of an exam that is over."""
    return sheet_of(room.opening.session, room.result())


def sheet_of(session: str, result: ExamResult) -> ExamSheet:
    """Return the score sheet of a result."""
    return ExamSheet(
        session=session,
        result=result,
        score=result.score,
        within={one.name: one.passed for one in result.measures},
        bars={one.name: one.bar for one in result.measures},
        facts=tuple(SheetFact(name=name, words=words) for name, words in fact_lines(result)),
        place=place_of(result.rulebook_title),
        game_title=game_title_of(result.rulebook_title),
    )
