"""The salts of the person at the terminal, and the commands that commit to them and open them."""

from __future__ import annotations

from collections.abc import Callable

from houseway.client.messages import View
from houseway.engine import commands as c
from houseway.engine.players_cut import SALT, commitment
from houseway.engine.state import COMMITTED


class PlayerSalts:
    """The salts of the person's seats. Only this program knows a salt until it is opened."""

    def __init__(self, draw: Callable[[], str], *, commits: bool) -> None:
        self._draw = draw
        """Returns a random salt."""
        self._commits = commits
        """True if this program adds salts unasked. It always opens those that the person chose."""
        self._by_commitment: dict[str, str] = {}
        self._drawn: c.Command | None = None
        """The command of the last salt, until the table has answered it."""
        self._given_up = False
        """True if the table has refused a salt in this round."""
        self.shown = ""
        """The player's salt of the current round."""

    def open_round(self) -> None:
        """Start a new round."""
        self._by_commitment, self._drawn, self._given_up, self.shown = {}, None, False, ""

    def due(self, view: View) -> c.Command | None:
        """Return the command that the table expects now, or None.

        The seat commits again if this program does not know the committed salt, because it was restarted.
        """
        yours, number = view.yours, view.yours.seat
        for seat, committed in yours.openings.items() if view.table.betting == "closed" else ():
            if committed in self._by_commitment:
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
        """Note the table's answer to a command."""
        self._drawn = None
        self._given_up = self._given_up or refused
        if isinstance(command, c.CommitSalt) and not refused:
            self.shown = self._by_commitment[command.commitment]

    def lost(self, view: View) -> bool:
        """True if the table waits for a salt that this program does not know."""
        return not set(view.yours.openings.values()) <= self._by_commitment.keys()
