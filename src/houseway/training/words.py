"""Acts and verdicts as sentences, for the score sheet, the review and the screen reader."""

from __future__ import annotations

from typing import Final

from houseway.cards import codes
from houseway.money import exactly, spoken
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.judge import DISPUTED, RIGHT, Judgement, Verdict
from houseway.training.ruling_verdicts import RowVerdict
from houseway.training.score import Score
from houseway.wording import (
    as_sentence,
    capital,
    overpaid_or_underpaid,
    place_name,
    several,
    shown_name,
    the_wager,
)

_PAST: Final = {
    "announce": "announced", "arrange": "arranged", "ask": "asked", "burn": "burned", "clear": "cleared",
    "close": "closed", "collect": "collected", "confirm": "confirmed", "count": "counted", "cut": "cut",
    "cycle": "cycled", "deal": "dealt", "dispense": "dispensed", "expose": "exposed",
    "have": "had", "inspect": "inspected", "let": "let", "load": "loaded", "lock": "locked",
    "offer": "offered", "open": "opened", "pay": "paid",
    "place": "placed", "post": "posted", "press": "pressed", "rack": "racked", "receive": "received",
    "refund": "refunded", "remove": "removed", "reset": "reset", "set": "set", "settle": "settled",
    "show": "showed", "shuffle": "shuffled", "spread": "spread", "stack": "stacked", "take": "took",
    "turn": "turned", "verify": "verified", "wash": "washed", "lammers": "placed the lammers",
}  # fmt: skip
"""The past tense of the first words of steps. Your own rulebooks may use other words."""
_SAME_PAST: Final = frozenset({"cut", "let", "put", "read", "reset", "set", "spread"})
"""The verbs whose past tense looks like an instruction."""
YOU: Final = "You"
"""The subject of a sentence to the trainee."""


def step_done(name: str) -> str:
    """Return a step as it was done, from its name.

    >>> step_done("open the round"), step_done("wash and stack"), step_done("first wash")
    ('opened the round', 'washed and stacked', 'did: first wash')
    """
    words = shown_name(name).split(" ")
    if words[0] not in _PAST:
        return f"did: {' '.join(words)}"
    pairs = zip(["and", *words], words, strict=False)
    return " ".join(_PAST.get(word, word) if before == "and" else word for before, word in pairs)


def act_words(act: a.ChairAct, *, due: bool = False) -> str:
    """Return an act in words: as it was done or, if `due`, as an instruction.

    >>> act_words(a.Ask(seat=4)), act_words(a.Ask(seat=4), due=True)
    ('asked seat 4', 'ask seat 4')
    """

    def verb(done: str, instruction: str) -> str:
        return instruction if due else done

    match act:
        case a.DealCards():
            return f"{verb('dealt', 'deal')} {several(act.count, 'card')} to {place_name(act.place)}"
        case a.Burn():
            return f"{verb('burned', 'burn')} {several(act.count, 'card')}"
        case a.TurnUp(place="board") if act.count:
            return f"{verb('turned up', 'turn up')} {several(act.count, 'community card')}"
        case a.TurnUp():
            return f"{verb('turned up', 'turn up')} {place_name(act.place)}'s cards"
        case a.Ask():
            return f"{verb('asked', 'ask')} seat {act.seat}"
        case a.TakeFold():
            return f"{verb('took', 'take')} the folded hand of seat {act.seat}"
        case a.ReadHand():
            return f"read {announcement_words(act)}"
        case a.Pay():
            return f"{verb('paid', 'pay')} {exactly(total(act.chips))} on {_wager(act)}"
        case a.Take():
            return f"{verb('took', 'take')} {_wager(act)}"
        case a.Push():
            return f"{verb('pushed', 'push')} {_wager(act)}"
        case a.ColourUp():
            taken, given = exactly(total(act.taken)), exactly(total(act.given))
            return f"{verb('changed', 'change')} seat {act.seat}'s chips, {taken} for {given}"
        case a.SetHand():
            return f"set the dealer's hand to {codes(act.cards)}"
        case a.ResetDealer():
            return "set the dealer's hand again"
        case a.Key():
            return f"{verb('keyed', 'key')} {act.hand} for seat {act.seat}"
        case a.CountStub():
            return f"{verb('counted', 'count')} {several(act.count, 'card')} in the stub"
        case a.Rack():
            return f"{verb('racked', 'rack')} {_racked(act.what)}"
        case a.CallFloor():
            return f"{verb('called', 'call')} the floor"
        case a.ReportIrregularity():
            return f"{verb('reported', 'report')}: {irregularity_words(act.kind, act.at)}"
        case a.CorrectPayment():
            right = f" to {exactly(act.amount)}" if act.amount is not None else ""
            return f"{verb('corrected', 'correct')} the payment on {_bet(act.seat, act.wager)}{right}"
        case a.Refuse(what="take-back"):
            return f"{verb('refused', 'refuse')} to let seat {act.seat} take a bet back"
        case a.Refuse():
            return f"{verb('refused', 'refuse')} seat {act.seat}'s {act.what}"
        case a.Warn():
            return f"{verb('warned', 'warn')} seat {act.seat}"
        case a.LetStand():
            return f"let the payment on {_bet(act.seat, act.wager)} stand"
        case a.TakeStep(what="cut") if act.count:
            return f"cut {several(act.count, 'card')}"
        case a.TakeStep():
            step = act.what if due else step_done(act.what)
            return f"{step}, {several(act.count, 'card')}" if act.count else step
    raise TypeError(f"{type(act).__name__} is not an act of the chair")


def irregularity_words(kind: str, at: str) -> str:
    """Return an irregularity with its place.

    >>> irregularity_words("exposed card", "seat 2"), irregularity_words("shuffler jam", "")
    ('exposed card, seat 2', 'shuffler jam')
    """
    return f"{kind}, {place_name(at)}" if at else kind


def _racked(what: str) -> str:
    discards = " discards"
    cards = "discards" if what.endswith(discards) else "cards"
    place = place_name(what.removesuffix(discards))
    return place if what == "board" else f"{place}'s {cards}"


def hand_name(act: a.ReadHand) -> str:
    """Return the hand that an announcement is about: "the dealer's hand", "seat 2's second hand"."""
    number = "second " if act.hand > 1 else ""
    return f"{place_name(act.place)}'s {number}hand"


def announcement_words(act: a.ReadHand) -> str:
    """Return an announcement as the dealer speaks it: "the dealer: pair of kings, qualifies"."""
    return f"{place_name(act.place)}: {reading_words(act)}"


def reading_words(act: a.ReadHand) -> str:
    """Return the class and the result of an announcement: "pair of kings, qualifies"."""
    said = {"win": ", player wins", "lose": ", player loses", "tie": ", a tie"}.get(act.result, "")
    if act.qualifies is not None:
        said = ", qualifies" if act.qualifies else ", does not qualify"
    return f"{act.reads}{said}"


def _wager(act: a.WagerAct) -> str:
    return f"seat {act.seat}'s tip on {the_wager(act.wager)}" if act.tip else _bet(act.seat, act.wager)


def _bet(seat: int, wager: str) -> str:
    return f"seat {seat}'s {wager.replace('_', ' ')}"


def amount_words(cents: int) -> str:
    """Return a wrong amount with its direction.

    >>> amount_words(1000), amount_words(-750)
    ('$10.00 overpaid', '$7.50 underpaid')
    """
    return f"{exactly(abs(cents))} {overpaid_or_underpaid(cents)}"


def over_and_under(over: int, under: int) -> str:
    """Return the cents that were paid too much and too little, in words.

    >>> over_and_under(1000, 0)
    '$10.00 overpaid, $0.00 underpaid'
    """
    return f"{exactly(over)} {overpaid_or_underpaid(1)}, {exactly(under)} {overpaid_or_underpaid(-1)}"


def clear_past(phrase: str, who: str = YOU) -> str:
    """Return the beginning of a sentence about an act that was done, from its words.

    The past of "read" or "set" looks like an instruction, so the sentence names the person who did it.

    >>> clear_past("pushed seat 1's trips"), clear_past("set the dealer's hand again", "The dealer")
    ("Pushed seat 1's trips", "The dealer set the dealer's hand again")
    """
    return f"{who} {phrase}" if phrase.partition(" ")[0] in _SAME_PAST else capital(phrase)


def verdict_words(verdict: Verdict, did: str = "", due: str = "", who: str = YOU) -> str:
    """Return a verdict as a sentence that states facts: what was done, and what was due.

    `did` and `due` are these acts in the words of the procedure, if the caller knows them. `who` is the
    dealer, as the subject of a sentence.
    """
    if isinstance(verdict, RowVerdict):
        return verdict.words
    phrase = clear_past(did or act_words(verdict.act), who) if verdict.act is not None else ""
    did = as_sentence(phrase)
    due = due or due_words(verdict)
    where = irregularity_words(verdict.irregularity, verdict.at)
    match verdict.kind:
        case kind if kind == RIGHT:
            return did
        case kind if kind == DISPUTED:
            return f"{did} Two settlement programs disagree about this wager, so it is not judged."
        case ch.WRONG_AMOUNT:
            money = f" {amount_words(verdict.amount)}." if verdict.amount else ""
            return f"{phrase}; {_right_result(verdict.due, due)}.{money}"
        case ch.MISSED if verdict.irregularity:
            return f"Not handled: {where}. Due: {due}."
        case ch.MISSED if verdict.waits:
            return f"Did not {due}."
        case ch.MISSED:
            money = f" {amount_words(verdict.amount)}." if verdict.amount else ""
            return f"Never done: {due}.{money}"
        case ch.OUT_OF_ORDER:
            return f"{did} That was too early. First: {due}."
        case ch.NOT_DUE:
            if due or not verdict.step:
                return f"{did} That was not due.{f' Due: {due}.' if due else ''}"
            return f"{did} That was not due. The step was: {shown_name(verdict.step)}."
        case ch.WRONG_KEY if not due:
            return f"{did} That was not due. Press the same button again to turn it off."
        case ch.MISREAD if isinstance(verdict.act, a.ReadHand) and isinstance(verdict.due, a.ReadHand):
            hand = f"{hand_name(verdict.act)} as “{reading_words(verdict.act)}”"
            return f"{who} read {hand}; right: “{reading_words(verdict.due)}”."
        case ch.UNSEEN:
            return f"Not reported: {where}."
        case ch.LATE:
            verb = "Reported" if isinstance(verdict.act, a.ReportIrregularity) else "Handled"
            return f"{verb} late: {where}."
        case ch.WRONG_REPORT:
            happened = f" What happened: {where}." if verdict.irregularity else " Nothing had happened."
            return f"{did}{happened}"
        case ch.WRONG_HANDLING:
            return f"{did} What happened: {where}. Due: {due}."
        case ch.NEEDLESS_CALL:
            return f"{did} Nothing needed the floor."
        case ch.MISSED_CALL:
            return "The floor was not called."
    return f"{did} Due: {due}."


def due_words(verdict: Verdict | ch.Slip) -> str:
    """Return the act that was due, as an instruction; empty if none was.

    A seat that was asked already need not be asked again, but its decision comes first.
    """
    if verdict.waits and isinstance(verdict.due, a.Ask):
        return f"wait for seat {verdict.due.seat} to decide"
    if isinstance(verdict.due, a.TakeStep) and verdict.step:
        return shown_name(verdict.step)
    return act_words(verdict.due, due=True) if verdict.due is not None else ""


def _right_result(act: a.ChairAct | None, due: str) -> str:
    """Return what should have happened to a wager that was settled wrongly."""
    match act:
        case None:
            return "nothing was due"
        case a.Push():
            return "it should push"
        case a.Take():
            return "it should be taken"
        case a.Pay():
            return f"it should be paid {exactly(total(act.chips))}"
    return f"due: {due}"


def round_words(judgement: Judgement) -> str:
    """Return the result of a round: "2 slips; $10.00 overpaid"."""
    count = several(len(judgement.slips), "slip") if judgement.slips else "no slips"
    return "; ".join([count, *(amount_words(amount) for amount in judgement.mispaid if amount)])


def score_lines(score: Score) -> list[str]:
    """Return a score in lines: rounds, dollars, seconds and clauses."""
    if not score.rounds:
        return ["You finished no round, so there is no score."]
    reading = f"{score.reading_accuracy:.0%}" if score.hands_read else ""
    slips = ", ".join(f"{kind} {count}" for kind, count in sorted(score.kinds.items()))
    clauses = ", ".join(f"{clause} {count}" for clause, count in sorted(score.clauses.items()))
    seen = f"{score.reported} of {score.irregularities}"
    parts = f"{over_and_under(score.over, score.under)}, {exactly(score.corrected)} corrected"
    pace = f"{score.rounds_per_hour:.1f} rounds per hour (time between rounds not counted)"
    lines = [
        f"Rounds: {score.rounds}.",
        f"Slips: {score.slips}, {score.slips_per_round:.2f} per round{f' ({slips})' if slips else ''}.",
        f"Clauses: {clauses}." if clauses else "",
        f"Mispayment: {exactly(score.gross)} gross, {exactly(score.net)} net; {parts}.",
        f"Bets settled right: {_count_of(score.payments_right, score.payments)}.",
        f"Hands read right: {_count_of(score.hands_read_right, score.hands_read, reading)}.",
        f"Irregularities reported: {seen}." if score.irregularities else "",
        f"Players handled correctly: {score.conduct_right} of {score.conduct}." if score.conduct else "",
        f"Pace: {pace}, {score.payments_per_minute:.1f} payments per minute.",
    ]
    return [line for line in lines if line]


def _count_of(right: int, of: int, share: str = "") -> str:
    """Return a count out of a total, with its share; a dash if the total is 0."""
    if not of:
        return "–"
    return f"{right} of {of}{f' ({share})' if share else ''}"


def stack_words(stack: dict[int, int]) -> str:
    """Return a stack in words, the largest chips first.

    >>> stack_words({500: 4, 50: 1})
    '4 × $5, 1 × $0.50'
    """
    return ", ".join(f"{count} × {spoken(value)}" for value, count in sorted(stack.items(), reverse=True))
