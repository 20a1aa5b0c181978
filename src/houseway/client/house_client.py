"""A client for a houseway server: register a handle (a name), find a table, sit down and play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import count
from secrets import token_hex
from typing import Any, Self
from urllib.parse import quote, urlencode

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from houseway.client import messages as m
from houseway.client.house_access import SECONDS, HouseAccess, HouseError
from houseway.client.view_follower import ViewFollower
from houseway.engine.refusals import Refusal

CLOSE_SECONDS = 1.0
"""Seconds for the server to answer when a socket is closed."""


class House(HouseAccess):
    """A connection to a house, for one person.

    >>> house = House("http://127.0.0.1:8000")              # doctest: +SKIP
    >>> house.introduce("Maren")                            # doctest: +SKIP
    """

    # --- over HTTP ---

    def tables(self) -> tuple[m.TableCard, ...]:
        """Return the tables of the house."""
        cards: m.TableCards = self.ask("GET", "/api/tables", gives=m.TableCards)
        return cards.tables

    def open_table(self, order: m.OpenTable) -> m.TableCard:
        """Open a table."""
        return self.ask("POST", "/api/tables", order, m.TableCard)

    def sheet(self, table: str) -> m.TableSheet:
        """Return a table with its layout and pay tables."""
        return self.ask("GET", _path(table), gives=m.TableSheet)

    def seat_bot(self, table: str, bot: m.SeatedBot) -> m.TableCard:
        """Seat one of the house's bots."""
        return self.ask("POST", _path(table, "/bots"), bot, m.TableCard)

    def free_seat(self, table: str, seat: int) -> m.TableCard:
        """Remove a bot, or free the seat of an absent player."""
        return self.ask("DELETE", _path(table, f"/seats/{seat}"), None, m.TableCard)

    def view(self, table: str, role: str) -> m.View:
        """Return the current view of a role, such as "seat 2"."""
        entered: m.Entered = self.ask("GET", _path(table, "/view", {"as": role}), gives=m.Entered)
        return entered.view

    def coach(self, table: str, seat: int) -> dict[str, Any]:
        """Return the value of each choice for your hand."""
        return self.ask("GET", _path(table, "/coach", {"seat": seat}), gives=dict[str, Any])

    def rounds(self, table: str, limit: int = 20) -> list[dict[str, Any]]:
        """Return the rounds on record, newest first."""
        reply: dict[str, Any] = self.ask("GET", _path(table, "/rounds", {"limit": limit}))
        return list(reply["rounds"])

    def head(self, table: str, events: int = 0) -> m.HeadAnswer:
        """Return the newest signed head of a table's record, and its hash after `events` events."""
        return self.ask("GET", _path(table, "/head", {"events": events}), gives=m.HeadAnswer)

    def contains(self, head: m.RecordHead) -> bool:
        """True if the table's record still contains a head that you kept.

        If it does not, the record was changed or replaced by an older copy after you got the head.
        """
        return self.head(head.stream, head.events).chain_at == head.chain

    def replay(self, table: str, number: int, role: str = "rail") -> m.Replay:
        """Return a round, event by event, as a role saw it."""
        return self.ask("GET", _path(table, f"/rounds/{number}", {"as": role}), gives=m.Replay)

    def command(self, table: str, command: Mapping[str, Any], key: str) -> m.Answered:
        """Send a command to a table without opening a socket."""
        request = {"key": key, "command": command}
        return self.ask("POST", _path(table, "/commands"), request, m.Answered)

    # --- at a table ---

    def at(self, table: str, role: str = "rail", since: int | None = None) -> AtTable:
        """Open a socket at a table: as a spectator (rail), at your seat, or in your role there."""
        ticket: m.Ticket = self.ask("POST", "/api/tickets", m.TicketRequest(table=table), m.Ticket)
        url = f"{'wss' if self._secure else 'ws'}://{self._netloc}/api/socket"
        closing = ExitStack()
        try:
            opening = connect(
                url,
                open_timeout=self._seconds,
                # A server that hangs does not answer the close frame.
                close_timeout=CLOSE_SECONDS,
                compression=None,
                max_size=None,
            )
            socket = closing.enter_context(opening)
        except (OSError, WebSocketException) as error:
            raise HouseError(f"no houseway server answers at {self._netloc}: {error}") from error
        enter = m.Enter(ticket=ticket.ticket, table=table, role=role, since=since)
        return AtTable(socket, closing, enter, self._seconds)

    def sit(self, table: str, seat: int = 0) -> AtTable:
        """Sit down and open a socket at the seat; by default at your own seat, or at the first free one.

        If you already have a seat, another number adds that seat, if the house allows it.
        """
        handle, places = self.me().handle, self.sheet(table).card.seats
        own = [place.seat for place in places if place.player == handle]
        unoccupied = {place.seat: place.held for place in places if place.kind is None}
        # A seat that the floor holds for you comes first. A seat held for another player is left out.
        free = sorted(
            (n for n, held in unoccupied.items() if held in ("", handle)), key=lambda n: not unoccupied[n]
        )
        if not own and not free:
            raise HouseError("every seat is taken; watch from the rail, or choose another table")
        if seat and seat not in (*own, *unoccupied):
            listed = ", ".join(map(str, sorted(free))) or "none"
            raise HouseError(f"seat {seat} is not free at this table; free seats: {listed}")
        chosen = seat or (own or free)[0]
        if chosen not in own:
            self.command(table, {"type": "Sit", "seat": chosen}, f"sit-{token_hex(8)}")
        return self.at(table, f"seat {chosen}")


class AtTable(ViewFollower):
    """A socket at a table: follows the view and sends commands."""

    def __init__(
        self, socket: ClientConnection, closing: ExitStack, enter: m.Enter, seconds: float = SECONDS
    ) -> None:
        super().__init__()
        self._socket = socket
        self._closing = closing
        """Closes the socket."""
        self._keys = count(1)
        self._mine = token_hex(4)
        self._write(enter)
        try:
            first = self.next(seconds)
        except TimeoutError:
            self.close()
            raise
        if not isinstance(first, m.Entered):
            self.close()
            bye = first if isinstance(first, m.Bye) else m.Bye(code="not-in", message="the server closed")
            raise HouseError(bye.message, (Refusal(bye.code, None, "enter", bye.message),))
        self.role = first.role

    def next(self, seconds: float | None = SECONDS) -> m.FromHouse:
        """Wait for the next message; raises TimeoutError if none arrives."""
        try:
            return self.take(self._socket.recv(timeout=seconds))
        except WebSocketException as error:
            raise HouseError(f"the connection to the table was lost: {error}") from error
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise HouseError(f"this version cannot read a message from the server: {error}") from error

    def __iter__(self) -> Iterator[m.FromHouse]:
        while True:
            yield self.next(None)

    def do(self, command: Mapping[str, Any] | msgspec.Raw, key: str = "", expect: int | None = None) -> str:
        """Send a command and return its key. Commands with the same key count once."""
        raw = command if isinstance(command, msgspec.Raw) else msgspec.Raw(msgspec.json.encode(command))
        key = key or f"{self._mine}-{next(self._keys)}"
        self._write(m.Do(key=key, command=raw, expect=expect))
        return key

    def answer(self, command: Mapping[str, Any] | msgspec.Raw, key: str = "") -> m.Answered | m.Rejected:
        """The old name of `send`."""
        return self.send(command, key)

    def send(self, command: Mapping[str, Any] | msgspec.Raw, key: str = "") -> m.Answered | m.Rejected:
        """Send a command and return its reply; messages that arrive before the reply update the view."""
        sent = self.do(command, key)
        while True:
            message = self.next()
            if isinstance(message, m.Answered | m.Rejected) and message.key == sent:
                return message

    def ready(self, *, ready: bool = True, seat: int | None = None) -> None:
        """Tell the table that you are ready to continue, at one seat or at all your seats."""
        waits, number = self.view.waits, self.view.table.round
        why = waits.why if waits.why in ("bets", "next") else None
        self._write(m.Ready(ready=ready, round=number if why else None, why=why, seat=seat))

    def ping(self) -> None:
        """Send a ping and wait for the reply; messages that arrive before the reply update the view."""
        self.ask_pong()
        while not isinstance(self.next(), m.Pong):
            pass

    def ask_pong(self) -> None:
        """Send a ping without waiting; its reply follows all messages sent before it."""
        self._write(m.Ping())

    def _write(self, message: m.Request) -> None:
        try:
            self._socket.send(msgspec.json.encode(message).decode())
        except WebSocketException as error:
            raise HouseError(f"the connection to the table was lost: {error}") from error

    def close(self) -> None:
        """Close the socket; you keep your seat."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _path(table: str, rest: str = "", query: Mapping[str, object] | None = None) -> str:
    """Return the path of a table, or of a resource under it."""
    parameters = f"?{urlencode(query)}" if query else ""
    return f"/api/tables/{quote(table, safe='')}{rest}{parameters}"
