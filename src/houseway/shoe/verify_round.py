"""Check the cards of a round against its published seal: python verify_round.py PROOFS.json [ROOT]

The program needs only Python's standard library and is short enough to read in one sitting. ROOT is the
seal that you saw before the first wager. Without ROOT, compare that seal with the root the program prints.

If every card is as committed and was dealt to the place that the file claims, the program prints the cards
of each place and exits with 0; compare the cards with what you saw. Otherwise it prints each fault and
exits with 1.
"""

# ruff: noqa: T201

import hmac
import json
import re
import struct
import sys
from collections import Counter
from hashlib import sha256
from typing import Any

FORMAT = "houseway-proofs-1"
COMMITTED = "houseway-proofs-2"
"""The format of a shoe whose players commit to their salts first."""
PLACE = re.compile("seat [1-9][0-9]{0,4}|dealer|board|burn|face up|drawn in error")
STUB = (0, "stub")
CARD = re.compile("[23456789TJQKA][cdhs]")
SEAT = re.compile("0|[1-9][0-9]{0,4}")
MOST_CARDS = 1 << 16
MOST_ROUNDS = MOST_EVENTS = 1 << 53


Place = tuple[int, str]
"""A round, and a place in it that cards are dealt to."""


class ProofFault(Exception):  # noqa: N818
    """A fault in the proofs, described in a sentence."""


# --- ChaCha20 (RFC 8439) and HKDF-SHA256 (RFC 5869) ---


def block(key: bytes, nonce: bytes, counter: int) -> bytes:
    """Return one block of 64 keystream bytes."""
    start = struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce)
    x = list(start)
    for _ in range(10):
        for a, b, c, d in (
            (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
            (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
        ):  # fmt: skip
            for n, m, k, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[n] = x[n] + x[m] & 0xFFFFFFFF
                mixed = x[k] ^ x[n]
                x[k] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF
    return struct.pack("<16I", *(p + q & 0xFFFFFFFF for p, q in zip(x, start, strict=True)))


def hkdf(material: bytes, salt: bytes, info: bytes) -> bytes:
    """Derive a key of 32 bytes."""
    extracted = hmac.digest(salt, material, "sha256")
    return hmac.digest(extracted, info + b"\1", "sha256")


# --- the shoe: its shuffle, the players' cut, the path to the root ---


def shuffled(key: bytes, nonce: bytes, size: int) -> list[int]:
    """Return the numbers 0 to size - 1, shuffled with the keystream of a key."""
    width = 2 if size > 256 else 1
    stream, counter = b"", 0
    numbers = list(range(size))
    for last in range(size - 1, 0, -1):
        while True:
            if len(stream) < width:
                stream, counter = block(key, nonce, counter), counter + 1
            word, stream = int.from_bytes(stream[:width], "little"), stream[width:]
            if word < 256**width - 256**width % (last + 1):
                break
        chosen = word % (last + 1)
        numbers[last], numbers[chosen] = numbers[chosen], numbers[last]
    return numbers


def players_cut(salts: dict[int, bytes], root: bytes, shoe: str, size: int) -> list[int]:
    """Return the new order of the cards left in the shoe, by index."""
    if not salts:
        return list(range(size))
    joined = b"".join(seat.to_bytes(2, "big") + salts[seat] for seat in sorted(salts))
    return shuffled(hkdf(joined, root, b"houseway players' cut 1\0" + shoe.encode()), b"player cut 1", size)


def commitment(root: bytes, seat: int, salt: bytes) -> str:
    """Return the commitment of a seat to a salt, for the shoe with this root."""
    return sha256(b"houseway salt commitment 1\0" + root + seat.to_bytes(2, "big") + salt).hexdigest()


def check_commitments(cut: Any, where: str, root: bytes) -> None:
    """Check that every seat in a players' cut committed to its salt before betting closed, and opened it
    after that."""
    fields(cut, {"dealt", "salts", "closed", "commitments"}, where)
    salts = read_salts(cut["salts"], where)
    closed = whole(cut, "closed", 1, MOST_EVENTS, where)
    if not salts:
        raise ProofFault(f"{where}: a players' cut must have a salt")
    if not isinstance(cut["commitments"], dict) or set(cut["commitments"]) != set(cut["salts"]):
        both = "the seats that committed to a salt and those that opened one"
        raise ProofFault(f"{where}: {both} are not the same")
    for seat, record in cut["commitments"].items():
        label = f"{where}: seat {seat}"
        fields(record, {"commitment", "committed", "opened"}, label)
        unhex(record["commitment"], 32, f"{label}: the commitment")
        if whole(record, "committed", 1, MOST_EVENTS, label) >= closed:
            raise ProofFault(f"{label} committed to its salt after betting was closed")
        if whole(record, "opened", 1, MOST_EVENTS, label) <= closed:
            raise ProofFault(f"{label} opened its salt before betting was closed")
        if commitment(root, int(seat), salts[int(seat)]) != record["commitment"]:
            raise ProofFault(f"{label} opened a salt that it had not committed to")


def root_of(position: int, card: str, nonce: bytes, path: list[bytes], size: int, shoe: str) -> bytes:
    """Return the root computed from a card and its path."""
    node = sha256(b"\0" + position.to_bytes(4, "big") + nonce + card.encode()).digest()
    rest = list(path)
    at, width = position, size
    while width > 1:
        if at % 2 or at + 1 < width:
            if not rest:
                raise ProofFault("its path to the root is too short")
            sibling = rest.pop(0)
            node = sha256(b"\1" + (sibling + node if at % 2 else node + sibling)).digest()
        at, width = at // 2, (width + 1) // 2
    if rest:
        raise ProofFault("its path to the root is too long")
    return sha256(b"\2" + node + size.to_bytes(4, "big") + shoe.encode()).digest()


def dealing_places(data: dict[str, Any]) -> list[Place]:
    """Return the round and place of every dealt card, in dealing order."""
    places: list[Place] = []
    before = 1
    for number, deal in enumerate(items(data, "deals", "the file")):
        where = f"deal {number}"
        fields(deal, {"round", "to", "count"}, where)
        before = whole(deal, "round", before, MOST_ROUNDS, where)
        count = whole(deal, "count", 1, data["size"] - len(places), where)
        places += [(before, read_place(deal["to"], where))] * count
    return places


def dealing_sequence(data: dict[str, Any], root: bytes, all_dealt: int) -> list[int]:
    """Return the committed positions in dealing order, after all cuts."""
    sequence, before = list(range(data["size"])), 0
    for number, cut in enumerate(items(data, "cuts", "the file")):
        where = f"cut {number}"
        by_players = isinstance(cut, dict) and "salts" in cut
        if by_players and data["format"] == COMMITTED:
            check_commitments(cut, where, root)
        else:
            fields(cut, {"dealt", "salts" if by_players else "count"}, where)
        dealt = whole(cut, "dealt", before, all_dealt, where)
        done, rest = sequence[:dealt], sequence[dealt:]
        if by_players:
            order = players_cut(read_salts(cut["salts"], where), root, data["shoe"], len(rest))
            rest = [rest[n] for n in order]
        else:
            count = whole(cut, "count", 1, len(rest) - 1, where)
            rest = rest[count:] + rest[:count]
        sequence, before = done + rest, dealt
    return sequence


# --- reading the file: anything unexpected is a fault ---


def fields(record: Any, names: set[str], where: str) -> None:
    if not isinstance(record, dict) or set(record) != names:
        raise ProofFault(f"{where} must have exactly these fields: {', '.join(sorted(names))}")


def items(record: dict[str, Any], name: str, where: str) -> list[Any]:
    value = record[name]
    if not isinstance(value, list):
        raise ProofFault(f"{where}: {name} must be a list")
    return value


def whole(record: dict[str, Any], name: str, least: int, most: int, where: str) -> int:
    value = record[name]
    if type(value) is not int or not least <= value <= most:
        raise ProofFault(f"{where}: {name} must be a whole number from {least} to {most}, not {value!r}")
    return value


def unhex(text: Any, count: int, what: str) -> bytes:
    # Lowercase only: there is one way to write a value, so no change goes unnoticed.
    if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{2 * count}}}", text):
        raise ProofFault(f"{what} must be {2 * count} lowercase hexadecimal digits, not {text!r}")
    return bytes.fromhex(text)


def read_salts(salts: Any, where: str) -> dict[int, bytes]:
    if not isinstance(salts, dict) or not all(SEAT.fullmatch(s) and int(s) < 1 << 16 for s in salts):
        raise ProofFault(f"{where}: salts must be listed by seat number")
    return {int(seat): unhex(salt, 16, f"{where}: the salt of seat {seat}") for seat, salt in salts.items()}


def read_place(text: Any, where: str) -> str:
    if not isinstance(text, str) or not PLACE.fullmatch(text):
        raise ProofFault(f"{where}: cards cannot be dealt to {text!r}")
    return text


def check_card(card: Any, where: str, data: dict[str, Any], deal: list[tuple[int, Place]]) -> None:
    """Check a card against `deal`, the committed position and place of every card in order."""
    fields(card, {"dealt", "round", "to", "card", "position", "nonce", "path"}, where)
    dealt = whole(card, "dealt", 0, data["size"] - 1, where)
    position = whole(card, "position", 0, data["size"] - 1, where)
    if not isinstance(card["card"], str) or not CARD.fullmatch(card["card"]):
        raise ProofFault(f"{where}: {card['card']!r} is not a card")
    where = f"{where} ({card['card']}, dealt as number {dealt})"
    committed, place = deal[dealt]
    claimed = STUB
    if (card["round"], card["to"]) != STUB:
        claimed = (whole(card, "round", 1, MOST_ROUNDS, where), read_place(card["to"], where))
    if claimed != place:
        raise ProofFault(f"{where}: it was dealt to {at(place)}, not to {at(claimed)} as claimed")
    if committed != position:
        after = (
            f"after the cuts, card number {dealt} of the deal is the one committed at position {committed}"
        )
        raise ProofFault(f"{where}: {after}, not at {position}")
    nonce = unhex(card["nonce"], 16, f"{where}: the nonce")
    path = [unhex(h, 32, f"{where}: a hash of the path") for h in items(card, "path", where)]
    try:
        reached = root_of(position, card["card"], nonce, path, data["size"], data["shoe"])
    except ProofFault as fault:
        raise ProofFault(f"{where}: {fault}") from None
    if reached.hex() != data["root"]:
        raise ProofFault(f"{where}: this card was not committed at position {position}")


def faults(data: Any, expected_root: str = "") -> list[str]:
    """Return all faults in the proofs of a round; empty if every card is as committed."""
    try:
        fields(data, {"format", "shoe", "size", "root", "cuts", "deals", "cards"}, "the file")
        if data["format"] not in (FORMAT, COMMITTED):
            either = f"{FORMAT!r} or {COMMITTED!r}"
            raise ProofFault(f"the file must have the format {either}, not {data['format']!r}")
        if not isinstance(data["shoe"], str) or re.search("[\ud800-\udfff]", data["shoe"]):
            raise ProofFault("the file: shoe must be text that UTF-8 can encode")
        if whole(data, "size", 52, MOST_CARDS, "the file") % 52:
            raise ProofFault(f"a shoe must hold whole decks of 52 cards, not {data['size']} cards")
        root = unhex(data["root"], 32, "the root")
        if expected_root and data["root"] != expected_root:
            raise ProofFault(
                f"the proofs are for another shoe: its root is {data['root']}, not {expected_root}"
            )
        places = dealing_places(data)
        sequence = dealing_sequence(data, root, len(places))
        deal = list(zip(sequence, places + [STUB] * (len(sequence) - len(places)), strict=True))
        cards = items(data, "cards", "the file")
        if not cards:
            raise ProofFault("the file has no cards to check")
    except ProofFault as fault:
        return [str(fault)]
    problems = []
    sound = []
    for number, card in enumerate(cards):
        try:
            check_card(card, f"card {number}", data, deal)
            sound.append(card)
        except ProofFault as fault:
            problems.append(str(fault))
    for dealt, times in Counter(card["dealt"] for card in sound).items():
        if times > 1:
            problems.append(f"number {dealt} of the deal is listed more than once")
    for name, times in Counter({c["dealt"]: c["card"] for c in sound}.values()).items():
        if times > data["size"] // 52:
            problems.append(f"the shoe has only {data['size'] // 52} of the {name}, not {times}")
    return problems


def at(place: Place) -> str:
    """Return a place in words."""
    return f"{place[1]} in round {place[0]}" if place[0] else place[1]


def card_lines(data: dict[str, Any]) -> list[str]:
    """Return the cards of every place in the proved rounds as lines, to compare with what you saw."""
    proved: dict[Place, list[str]] = {}
    for card in sorted(data["cards"], key=lambda card: card["dealt"]):
        proved.setdefault((card["round"], card["to"]), []).append(card["card"])
    places = dealing_places(data)
    got = Counter(places + [STUB] * (data["size"] - len(places)))
    rounds = {number for number, _ in proved}
    lines = [
        f"cut by the salt of seat {seat}, committed before betting closed"
        for cut in data["cuts"]
        for seat in sorted(cut.get("commitments", ()), key=int)
    ]
    for place in got:
        if place[0] in rounds:
            cards = proved.get(place, [])
            hidden = got[place] - len(cards)
            rest = [f"({hidden} not shown)"] if hidden else []
            lines.append(f"{at(place)}: {' '.join(cards + rest)}")
    return lines


def read(raw: bytes) -> Any:
    """Parse the proofs in a file."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = Counter(name for name, _ in pairs)
        if twice := [name for name in names if names[name] > 1]:
            raise ProofFault(f"the file: {twice[0]!r} appears twice in one JSON object")
        return dict(pairs)

    try:
        return json.loads(raw.decode(), object_pairs_hook=once)
    except (ValueError, RecursionError) as problem:
        raise ProofFault(f"the file is not JSON in UTF-8: {problem}") from None


def main(arguments: list[str]) -> int:
    """Check a file; return 0 if it has no faults, 1 if it has faults, and 2 if it cannot be read."""
    if len(arguments) not in (1, 2):
        print("python verify_round.py PROOFS.json [ROOT]", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            data = read(file.read())
        problems = faults(data, *arguments[1:])
    except OSError as problem:
        print(f"cannot read {arguments[0]}: {problem.strerror}", file=sys.stderr)
        return 2
    except ProofFault as fault:
        problems = [str(fault)]
    if problems:
        print("\n".join(problems))
        return 1
    count = len(data["cards"])
    print(f"{count} card{'s are' if count > 1 else ' is'} as committed by root {data['root']}")
    print("\n".join(card_lines(data)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
