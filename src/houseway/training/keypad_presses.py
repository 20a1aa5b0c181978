"""Keypad buttons that a trainee presses although no award is due, and the second press that turns them off.

Rulebooks of earlier versions do not say that the dealer presses the buttons. Under them, such a press
changes nothing.
"""

from __future__ import annotations

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.showdown_acts import BY_DEALER
from houseway.rules.procedure import Step
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.working_chair import WorkingChair


def press_again(at: WorkingChair, act: a.Key) -> bool:
    """Turn off an award that was keyed by mistake; return False if the press does not turn one off.

    The document asks for the second press, so it is never too early.
    """
    if _keypad(at) is None:
        return False
    lit = at.state.round.keyed.get(act.seat) == act.hand
    wrong = [slip.number for slip in _wrong_presses(at) if slip.did == act]
    if not wrong or (lit and not at.send(c.KeyAward(seat=act.seat, hand=act.hand), ch.CURE)):
        return False
    at.cured += wrong
    if lit:
        _ask_again(at)
    return True


def press_wrong_key(at: WorkingChair, act: a.Key) -> bool:
    """Press a button although no award is due: it is lit.

    Return False if the rulebook has no keypad, or if the button is lit because of an award that is due.
    """
    step, keyed = _keypad(at), at.state.round.keyed
    if step is None or at.state.section != "round" or keyed.get(act.seat) == act.hand:
        return False
    clause = at.table.clause(step, "keyed")
    at.slip(ch.WRONG_KEY, clause, step=at.due_clause()[0])
    has_award = bool(at.state.seats[act.seat].hands[0].collected)
    if not at.send(c.KeyAward(seat=act.seat, hand=act.hand), ch.SLIP):
        if act.seat in keyed or has_award or act.hand not in at.table.terms.order:
            return True
        # Without a progressive wager, the engine has no award to key. The button is lit all the same.
        at.apply([e.AwardKeyed(seat=act.seat, hand=act.hand, right=False, clause=clause)], ch.SLIP)
    _ask_again(at)
    return True


def _ask_again(at: WorkingChair) -> None:
    """Ask the engine again what is due. The amounts of an award that is to be keyed have changed."""
    if any(isinstance(event, e.AwardKeyed) and event.meter for one in at.queue for event in one.events):
        at.queue = []
    at.ask_again()


def _keypad(at: WorkingChair) -> Step | None:
    """Return the step whose awards the dealer keys, or None."""
    steps = at.table.sections["round"]
    return next(
        (one for one in steps if "keyed" in one.rules and one.rules["keyed"].value == BY_DEALER), None
    )


def _wrong_presses(at: WorkingChair) -> list[ch.Slip]:
    """Return the slips of wrong presses in this round that are not repaired."""
    cured = {number for entry in at.entries for number in entry.cured}
    slips = (slip for entry in at.entries for slip in entry.slips)
    return [one for one in slips if one.kind == ch.WRONG_KEY and one.number not in cured]
