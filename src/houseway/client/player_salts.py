"""A player's salts: the commands that commit to them and open them, and the check of the cut against the
commitments that were shown before."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from houseway.client.messages import View
from houseway.engine import commands as c
from houseway.engine.players_cut import SALT, commitment
from houseway.engine.state import COMMITTED
from houseway.wording import several


class PlayerSalts:
    """The salts of a player's seats. Only this program knows a salt until it is opened."""

    def __init__(self, draw: Callable[[], str], *, commits: bool) -> None:
        self._draw = draw
        """Returns a random salt."""
        self._commits = commits
        """True if this program adds salts by itself. Salts that the player chose are always opened."""
        self._by_commitment: dict[str, str] = {}
        self._drawn: c.Command | None = None
        """The command of the last salt, until the table has answered it."""
        self._given_up = False
        """True if the table has refused a salt in this round."""
        self.shown = ""
        """The player's salt of the current round."""
        self._seal = ""
        self._committed: dict[int, str] = {}
        """The commitments of all seats, as shown before this program opened its first salt in the round."""
        self.cut = ""
        """The result of comparing the cut of the current round with these commitments."""

    def open_round(self) -> None:
        """Start a new round."""
        self._by_commitment, self._drawn, self._given_up, self.shown = {}, None, False, ""
        self._seal, self._committed, self.cut = "", {}, ""

    def due(self, view: View) -> c.Command | None:
        """Return the command that the table expects now, or None.

        The seat commits again if this program does not know the committed salt, because it was restarted.
        """
        yours, number = view.yours, view.yours.seat
        for seat, committed in yours.openings.items() if view.table.betting == "closed" else ():
            if committed in self._by_commitment:
                if not self._committed:
                    self._seal, self._committed = view.table.seal, dict(view.table.commitments)
                return c.OpenSalt(by=f"seat {seat}", seat=seat, salt=self._by_commitment[committed])
        if self._given_up or not self._commits:
            return None
        unknown = yours.commitment and yours.commitment not in self._by_commitment
        if not (yours.salt_due or yours.commit_due or unknown):
            return None
        if self._drawn is None:
            self._drawn = self.chosen(view, number, self._draw())
        return self._drawn

    def chosen(self, view: View, number: int, salt: str) -> c.Command:
        """Return the command that adds a salt to the cut, as the table takes it."""
        table, sender = view.table, f"seat {number}"
        if table.players_cut != COMMITTED or SALT.fullmatch(salt) is None:
            return c.AddSalt(by=sender, seat=number, salt=salt)
        committed = commitment(table.seal, number, salt)
        self._by_commitment[committed] = salt
        self._drawn = c.CommitSalt(by=sender, seat=number, commitment=committed)
        return self._drawn

    def answered(self, command: c.Command, *, refused: bool) -> None:
        """Note the table's answer to a command. A late answer from an earlier round changes nothing."""
        if isinstance(command, c.CommitSalt) and command.commitment not in self._by_commitment:
            return
        if isinstance(command, c.OpenSalt) and command.salt not in self._by_commitment.values():
            return
        self._drawn = None
        self._given_up = self._given_up or refused
        if isinstance(command, c.CommitSalt) and not refused:
            self.shown = self._by_commitment[command.commitment]

    def check_cut(self, salts: Mapping[int, str]) -> tuple[str, ...]:
        """Return a warning for each seat whose salt is not the one it committed to before this program
        opened a salt.

        The player of such a seat could have chosen the salt after seeing this player's. Without a salt of
        this program in the cut, there is nothing to compare.
        """
        if not self._committed:
            return ()
        used = {seat: commitment(self._seal, seat, salt) for seat, salt in salts.items()}
        seats = sorted(used.keys() | self._committed.keys())
        wrong = [seat for seat in seats if used.get(seat) != self._committed.get(seat)]
        if wrong:
            self.cut = "The cut does not match the commitments that you saw before your salt was opened."
        else:
            whose = f"the {several(len(seats), 'salt')} in the cut"
            self.cut = f"You saw the commitments to {whose} before your own salt was opened."
        return tuple(
            f"Warning: the salt of seat {seat} is not the one it committed to before your salt was opened. "
            "The cut may be rigged. Stop betting, and ask the operator for the proofs of this round."
            for seat in wrong
        )

    def lost(self, view: View) -> bool:
        """True if the table waits for a salt that this program does not know."""
        return not set(view.yours.openings.values()) <= self._by_commitment.keys()
