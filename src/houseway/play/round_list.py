"""The rounds played as text, one per line."""

from __future__ import annotations

from houseway.audit.store import StoreError
from houseway.play.game import Game
from houseway.play.wager_words import signed
from houseway.school.reason_words import edge_words


def history_text(game: Game) -> str:
    """Return the rounds played, one per line, with the board, the dealer's and the player's cards."""
    try:
        played = game.history
    except StoreError as error:
        return f"The history cannot be read: {error}."
    if not played:
        return "You have not finished a round yet."
    lines = []
    for round_ in played:
        dealer_faces = round_.dealer or tuple(
            face for place, faces in round_.view.exposed if place == "dealer" for face in faces
        )
        board, dealer = (" ".join(faces) or "–" for faces in (round_.view.board, dealer_faces))
        own = " ".join(round_.hands.get((game.you, 1), ())) or "–"
        nets_by_seat = round_.view.net.items()
        mine = [(seat, net) for seat, net in nets_by_seat if not game.seats or seat in game.seats]
        nets = [signed(net) if game.you else f"seat {seat} {signed(net)}" for seat, net in mine]
        result = "void, wagers returned" if round_.view.void else ", ".join(nets)
        yours = f", you {own}" if game.you and result else ""
        result = f": {result}" if result else ", you sat out" if game.you else ", all seats sat out"
        lines.append(f"Round {round_.view.round}: board {board}, dealer {dealer}{yours}{result}")
    return "\n".join((*lines, edge_words(None)))
