"""A scripted game that is the same in every process: the next command depends only on the table."""

from __future__ import annotations

from houseway.audit.signatures import Signer
from houseway.audit.store import Store
from houseway.engine import commands as c
from houseway.engine.dealer_act import next_act
from houseway.engine.players_cut import commitment
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.turn_order import turn, unopened_salts
from houseway.live import LiveTable, TableServices
from houseway.rules.loader import load
from houseway.shoe import SeededEntropy

STREAM = "table:1"
SIGNER = Signer(b"the key of a house for the tests")
SEATS = (1, 2, 3)


def house(store: Store, every: int = 40) -> TableServices:
    """Return table services with the same randomness and clock in every process."""
    return TableServices(store, SIGNER, SeededEntropy("killed"), lambda: "2026-11-15T20:00:00.000Z", every)


def resume_or_open(at: TableServices) -> LiveTable:
    """Resume the table from its record, or open a new one."""
    if at.store.head(STREAM) is not None:
        return LiveTable.resume(at, STREAM)
    book = load("uth-ma")
    opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
    live = LiveTable.open(at, STREAM, book, {}, opening)
    assert not isinstance(live, Refusal), live.message
    return live


def next_command(live: LiveTable) -> c.Command:
    """Return the next command: a player sits down, bets or decides, or the dealer acts."""
    state = live.state
    act = next_act(live.table, state)
    # The inspection waits for the first player (MA-3.c-a).
    players = state.round.betting == "open" or (act is None and not state.seats)
    bet = _betting_command(state) if players else None
    if bet is not None:
        return bet
    if act is not None:
        return act.command()
    if unopened_salts(state):
        return c.OpenSalt(seat=SEATS[0], salt=_salt(state))
    acting = turn(live.table, state)
    assert acting is not None, "no seat can act"
    return _decision(acting[0], len(state.round.board))


def _betting_command(state: State) -> c.Command | None:
    """Return a player's next command before betting closes."""
    for seat in SEATS:
        if seat not in state.seats:
            return c.Sit(seat=seat, player=f"Player {seat}", chips=100_000_000)
        if not state.seats[seat].hands[0].wagers:
            return c.Bet(seat=seat, wagers={"ante": 1000, "trips": 500})
    if SEATS[0] not in state.round.commitments:
        committed = commitment(state.round.seal, SEATS[0], _salt(state))
        return c.CommitSalt(seat=SEATS[0], commitment=committed)
    return None


def _salt(state: State) -> str:
    return f"{state.round.number:032x}"


def _decision(seat: int, board: int) -> c.Command:
    """Return the decision of a seat: seat 1 plays at once, seat 2 plays after the river, seat 3 folds."""
    if seat == SEATS[0]:
        return c.Play(seat=seat, times=4)
    if board < 5:
        return c.Check(seat=seat)
    return c.Play(seat=seat, times=1) if seat == SEATS[1] else c.Fold(seat=seat)
