"""`houseway train`: every rulebook dealt with typed commands, typed errors, and files that replay."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import DECK, codes
from houseway.cli.app import main
from houseway.engine.terms import read_terms
from houseway.engine.turn_order import due
from houseway.live.default_terms import card_backs, offering
from houseway.play import chair_commands
from houseway.play.chair_commands import CommandError, act_lines, check_acts, read_acts
from houseway.play.chair_felt import felt
from houseway.play.chair_screen import ChairScreen
from houseway.rules.loader import load, sound_rulebooks
from houseway.training import acts as a
from houseway.training import session_file
from houseway.training.model_dealer import right_act
from houseway.training.score import score
from houseway.training.session import SessionError, SessionPlan, TrainingSession
from houseway.training.session_file import SessionWriter, read_session, replay_session
from houseway.training.words import score_lines
from training.every_step import ORDERS, possible_steps
from training.typed_acts import ruling_lines, typed

SECOND = 1000
TABLES = [(book.id, mode) for book in sound_rulebooks()[0] for mode in book.modes]


def session(rulebook: str = "uth-ma", mode: str = "manual", **more: Any) -> TrainingSession:
    """A session that has not started."""
    book = load(rulebook)
    house = more.pop("house", {})
    terms = offering(book, mode, {}, {}, house) | ({"house": house} if house else {})
    backs = card_backs(read_terms(book, terms)[0])
    options: dict[str, Any] = {"seats": 3, "rounds": 1, "seed": "7"} | more
    plan = SessionPlan(rulebook=rulebook, hash=book.hash, terms=terms, backs=backs, **options)
    return TrainingSession(plan, book)


class Typist:
    """A trainee at the screen. Each line takes two seconds."""

    def __init__(self, at: TrainingSession) -> None:
        self.session = at
        self.time = 0
        self.out = io.StringIO()
        self.file = io.BytesIO()
        self.steps: set[str] = set()
        """The steps whose acts were typed as the document says."""
        self._screen = ChairScreen(at, self.out, lambda: self.time, self.file)

    def type(self, *lines: str) -> str:
        """Run the screen on these lines, and return everything that it prints."""
        self._screen.run(io.StringIO("".join(f"{line}\n" for line in lines)))
        return self.out.getvalue()

    def deal(self, change: Any = lambda act: None) -> str:
        """Deal by the document, typed. `change` returns other lines for an act, or None."""
        self._screen.run(_Lines(self, change))  # type: ignore[arg-type]
        return self.out.getvalue()


class _Lines:
    """Lines that a trainee types when the screen asks for them."""

    def __init__(self, typist: Typist, change: Any) -> None:
        self._typist, self._change = typist, change
        self._waiting: list[str] = []

    def readline(self, limit: int) -> str:
        at = self._typist.session
        self._typist.time += 2 * SECOND
        if not self._waiting:
            act = right_act(at.table, at.chair)
            if isinstance(act, a.CountStub) and not at.chair.slips:
                assert act.count == at.stub
            lines = self._change(act)
            assert act or lines, "nothing is due"
            now = due(at.table, at.state)
            if now is not None and not lines:
                self._typist.steps.add(now.step.name)
            self._waiting = list(lines or [typed(act)])  # type: ignore[arg-type]
        line = self._waiting.pop(0)
        if line.startswith("report "):
            self._waiting[:0] = self._ruling(line)
        return f"{line}\n"

    def _ruling(self, line: str) -> list[str]:
        """Return the right ruling on a report, unless the screen does not accept the report."""
        at = self._typist.session
        try:
            (act,) = read_acts(at.table, line)
            check_acts(at.table, at.chair, (act,))
        except CommandError:
            return []
        assert isinstance(act, a.ReportIrregularity)
        return ruling_lines(at.table, at.chair, act, self._typist.time)


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_typed_commands_deal_every_rulebook_without_a_slip(rulebook: str, mode: str) -> None:
    """A trainee who follows the document types every act, in every rulebook and deal mode."""
    at = Typist(session(rulebook, mode, rounds=6))
    printed = at.deal()
    assert at.session.score.slips == 0, at.session.score.kinds
    assert at.session.score.payments > 12
    assert "Round 6 of 6 is over: no slips." in printed
    assert "Slips: 0, 0.00 per round." in printed
    # The file replays to the same table, judgement and score.
    again = replay_session(*read_session(at.file.getvalue()), load(rulebook))
    assert again.chair == at.session.chair
    assert again.judgements == at.session.judgements
    assert again.score == at.session.score


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_every_step_of_every_procedure_is_done_by_typed_commands(rulebook: str, mode: str) -> None:
    """Every step that the table can have, except those for wagers that it does not offer."""
    steps: set[str] = set()
    for order in ORDERS[rulebook, mode]:
        plan = {name: value for name, value in order.items() if name != "void"}
        at = Typist(session(rulebook, mode, **plan))
        spoilt = not order.get("void")

        def spoil(act: a.ChairAct) -> list[str] | None:
            """Expose the dealer's cards before the first question, and report it: the round is void."""
            nonlocal spoilt
            if spoilt or not isinstance(act, a.Ask):
                return None
            spoilt = True
            return [
                typed(a.TurnUp(place="dealer")),
                typed(a.ReportIrregularity(kind="exposed card", at="dealer")),
            ]

        at.deal(spoil)
        assert spoilt
        assert at.session.score.slips == 0 or order.get("void"), at.session.score.kinds
        steps |= at.steps
    assert steps == possible_steps(at.session.table)


def test_the_terminal_shows_the_odds_on_the_display() -> None:
    """MA-12.e: the device shows the payouts for the hands dealt, and the felt keeps them."""
    at = Typist(session("uth-ma", "device", seats=6))

    printed = at.deal()
    assert re.search(r"\nThe display shows Cover All for \d hands: royal flush [\d,]+ to 1, ", printed)


def test_a_score_without_payments_or_hands_has_no_count_out_of_0() -> None:
    """Two figures of a round without bets are dashes, as on the page."""
    empty = score([])
    lines = score_lines(replace(empty, rounds=1))
    assert "Bets settled right: –." in lines
    assert "Hands read right: –." in lines
    assert not any("0 of 0" in line or "0%" in line for line in lines)


def test_a_wrong_payment_is_shown_with_clause_sentence_and_dollars() -> None:
    paid: list[a.Pay] = []

    def ten_more(act: a.ChairAct) -> list[str] | None:
        if isinstance(act, a.Pay) and not paid:
            paid.append(act)
            return [f"{typed(act)} 2x5"]
        return None

    at = Typist(session(seed="3"))
    printed = at.deal(ten_more)
    (slip,) = at.session.judgements[0].slips
    assert (slip.kind, slip.amount) == ("wrong amount", 1000)
    assert "1 slip; $10.00 overpaid." in printed
    assert f"[{slip.clause}]" in printed
    assert f"   {slip.clause}: {load('uth-ma').clauses[str(slip.clause)].says}" in printed
    assert (
        "Mispayment: $10.00 gross, $10.00 net; $10.00 overpaid, $0.00 underpaid, $0.00 corrected."
        in printed
    )
    again = replay_session(*read_session(at.file.getvalue()), load("uth-ma"))
    assert again.judgements == at.session.judgements
    assert again.score.gross == 1000


@pytest.mark.parametrize(("amount", "gross", "slips"), [("", 0, 1), ("right", 0, 1), ("$1", 1000, 2)])
def test_a_payment_is_corrected_unless_a_wrong_amount_is_announced(
    amount: str, gross: int, slips: int
) -> None:
    paid: list[a.Pay] = []

    def err_and_correct(act: a.ChairAct) -> list[str] | None:
        if isinstance(act, a.Pay) and not paid:
            paid.append(act)
            due = sum(value * count for value, count in act.chips.items())
            announced = f"${due / 100:.2f}" if amount == "right" else amount
            return [f"{typed(act)} 2x5", f"correct {act.seat} {act.wager} {announced}"]
        return None

    at = Typist(session(seed="3"))
    printed = at.deal(err_and_correct)
    assert at.session.score.gross == gross
    assert at.session.score.slips == slips
    assert ("You repaired it." in printed) is (gross == 0)


def test_slips_happen_and_play_goes_on() -> None:
    """A forgotten burn changes the board; a misread hand and a needless floor call are named."""
    done: set[type] = set()

    def err(act: a.ChairAct) -> list[str] | None:
        kind = type(act)
        if kind in done:
            return None
        done.add(kind)
        if isinstance(act, a.Burn):
            return ["deal flop"]
        if isinstance(act, a.ReadHand):
            return ["read dealer royal flush"]
        if isinstance(act, a.Ask):
            return ["floor", typed(act)]
        return None

    at = Typist(session())
    printed = at.deal(err)
    assert at.session.over
    assert at.session.score.kinds == {"missed": 1, "misread": 1, "needless floor call": 1}
    assert "Never done: burn 1 card. [MA-7.f.2-a]" in printed
    assert "You read the dealer's hand as “royal flush”; right: “" in printed
    assert "Called the floor. Nothing needed the floor." in printed


def test_an_exposed_card_is_visible_and_can_be_reported() -> None:
    exposed: list[str] = []

    def expose(act: a.ChairAct) -> list[str] | None:
        if isinstance(act, a.Ask) and not exposed:
            exposed.append("")
            return ["turn 2", "table", "report exposed card seat 2"]
        return None

    at = Typist(session())
    printed = at.deal(expose)
    assert "Exposed, seat 2: " in printed
    assert at.session.score.reported == 1
    assert set(at.session.score.kinds) == {"not due"}


def test_a_report_shows_what_changes_on_the_table() -> None:
    """A third card voids the hand: its wagers go back to the player."""
    done: list[str] = []

    def deal_a_third_card(act: a.ChairAct) -> list[str] | None:
        if isinstance(act, a.Ask) and not done:
            done.append("")
            return ["deal 1", "report wrong number seat 1"]
        return None

    at = Typist(session())
    printed = at.deal(deal_a_third_card)
    reported = printed[printed.index("You reported: wrong number, seat 1.") :].splitlines()
    assert "Seat 1, Ines: no wagers; no cards." in reported[1:3]
    assert at.session.score.reported == 1


def test_nothing_shown_gives_hidden_cards_or_the_order_away() -> None:
    """The felt names no face-down card, and the list of acts never changes."""
    at = session()
    listed = act_lines(at.table)
    reports = listed.index("Irregularities to report:")
    for part in (listed[:reports], listed[reports + 1 :]):
        assert part
        assert part == sorted(part)
    while not at.over:
        act = right_act(at.table, at.chair)
        assert act is not None
        now = at.state.round
        hidden = {*now.dealer} if not now.revealed else set()
        for seat in at.state.seats.values():
            hidden |= {card for hand in seat.hands if not hand.shown for card in hand.cards}
        shown = " ".join(felt(at))
        assert not [card for card in hidden if codes([card]) in shown]
        at.act(act, 0)
    assert act_lines(at.table) == listed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", 'Type an act, "acts" for all acts, or "help".'),
        ("dael 3", "There is no act \"dael 3\". Did you mean 'deal'?"),
        ("deal", "Say where the cards go."),
        ("deal 9", "There is no seat 9; the table has seats 1 to 6."),
        ("pay 3 blind", "You did not say how much."),
        ("pay 3 blind 1x7", "The tray has no $7 chips."),
        ("pay 3 blond $5", 'There is no wager "blond"; did you mean'),
        ("take 3", "You did not say which wager."),
        ("take 3 ante $5", "Take the whole wager, without an amount."),
        ("read 3 two pairs", "did you mean 'two pair'?"),
        ("report exposed", "There is no irregularity"),
        ("set As", "Name the two cards"),
        ("set As Zz", "Type it like"),
        ("key 2 flash", "did you mean 'flush'?"),
        ("turn 3 hand", 'A number must follow "hand".'),
        ("deal 1-6 1-6 1-6 1-6", "at most 20 acts"),
        ("burn 0", "is not a number of cards"),
        ("colour 3 $5", "Name the chips that you take and those that you give."),
    ],
)
def test_bad_input_gets_a_sentence(line: str, says: str) -> None:
    # The game with a house way has four cards of the dealer; South Dakota's has a keypad.
    own = {"set": ("shootout-sd", "manual"), "key": ("uth-sd", "manual")}
    table = session(*own.get(line.partition(" ")[0], ("uth-ma", "manual"))).table
    with pytest.raises(CommandError, match=r"^[^a-z].*[.?]$") as refused:
        read_acts(table, line)
    assert says in str(refused.value)


def test_natural_commands() -> None:
    table = session().table
    pay = {"seat": 3, "wager": "blind"}
    cases: dict[str, list[a.ChairAct]] = {
        "pay 3 blind 1x5 2x25": [a.Pay(**pay, chips={500: 1, 2500: 2})],  # type: ignore[arg-type]
        "Pay seat 3 the blind $30": [a.Pay(**pay, chips={2500: 1, 500: 1})],  # type: ignore[arg-type]
        "pay 3 envy of 5 hand 2 $25": [a.Pay(seat=3, wager="envy", of=(5, 2), chips={2500: 1})],
        "take 3 cover all trips": [a.Take(seat=3, wager="cover_all"), a.Take(seat=3, wager="trips")],
        "take the fold 2": [a.TakeFold(seat=2)],
        "push 2 tip ante": [a.Push(seat=2, wager="ante", tip=True)],
        "deal 2-1, dealer": [a.DealCards(place=place) for place in ("seat 2", "seat 1", "dealer")],
        "turn the turn and river": [a.TurnUp(place="board", count=2)],
        "turn up the dealer's cards": [a.TurnUp(place="dealer")],
        "read 3 four of a kind wins": [a.ReadHand(place="seat 3", reads="four of a kind", result="win")],
        "announce no more bets": [a.TakeStep(what="close betting")],
        "cut the cards 20": [a.TakeStep(what="cut", count=20)],
        "take the cover card off": [a.TakeStep(what="take the cover card off")],
        "colour 1 $100 for 4x25": [a.ColourUp(seat=1, taken={10000: 1}, given={2500: 4})],
        "report exposed card seat 2 card 1": [
            a.ReportIrregularity(kind="exposed card", at="seat 2", which=1)
        ],
        "correct 3 trips $15": [a.CorrectPayment(seat=3, wager="trips", amount=1500)],
    }
    for line, acts in cases.items():
        assert list(read_acts(table, line)) == acts, line


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_any_typed_line_is_read_or_refused(rulebook: str, mode: str) -> None:
    """Random words between the right acts never break the reader or the table, and the file replays."""
    words = "deal burn turn ask read take fold push pay set key count rack floor report correct 1 2 1-3 x2"
    words += " hand of tip ante wager play envy $5 1x5 flop dealer board pair win exposed card discards for"
    rng = Random(f"{rulebook} {mode}")
    acts = ["turn 2", "burn", "deal 1", "deal flop", "ask 2", "take 1 ante", "pay 2 play $5", "read 1 pair"]
    typed_lines: list[str] = []

    def wander(act: a.ChairAct | None) -> list[str] | None:
        line = " ".join(rng.choices(words.split(), k=rng.randint(1, 5)))
        typed_lines.append(rng.choice((line, rng.choice(acts))))
        if len(typed_lines) > 400:
            return ["quit"]
        return [typed_lines[-1]] if act is None or rng.random() < 0.4 else None

    at = Typist(session(rulebook, mode, rounds=3))
    printed = at.deal(wander)
    assert at.session.judgements
    assert at.session.score.slips > 5
    assert len(re.findall("^(You|Seat [1-8]: you) ", printed, re.MULTILINE)) > 60
    again = replay_session(*read_session(at.file.getvalue()), load(rulebook))
    assert (again.chair, again.judgements) == (at.session.chair, at.session.judgements)


# --- files ---


@pytest.fixture(scope="module")
def recorded() -> bytes:
    at = Typist(session())
    at.deal()
    return at.file.getvalue()


def test_any_changed_byte_is_noticed(recorded: bytes) -> None:
    rng = Random(2)
    for _ in range(200):
        place = rng.randrange(len(recorded))
        changed = bytearray(recorded)
        changed[place] ^= 1 << rng.randrange(8)
        with pytest.raises(SessionError, match=r"damaged|not a training session|update houseway"):
            read_session(bytes(changed))


def test_missing_and_moved_lines_are_noticed(recorded: bytes) -> None:
    lines = recorded.splitlines(keepends=True)
    for wrong in (
        [*lines[:5], *lines[6:]],
        [*lines[:5], lines[6], lines[5], *lines[7:]],
        [*lines, lines[-1]],
    ):
        with pytest.raises(SessionError, match=r"line \d+ of the file is damaged: its check sum is wrong"):
            read_session(b"".join(wrong))
    with pytest.raises(SessionError, match=f"line {len(lines)} of the file is damaged: it is incomplete"):
        read_session(recorded[:-3])
    # The lines before the damage can be scored.
    plan, inputs = read_session(b"".join(lines[:30]))
    assert len(replay_session(plan, inputs, load("uth-ma")).inputs) == 29


def test_newer_foreign_and_large_files_are_refused(
    recorded: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = recorded.replace(b'"format":3', b'"format":5', 1)
    with pytest.raises(SessionError, match="format 5, and this version of houseway reads format 4; update"):
        read_session(newer)
    for foreign in (b"", b"\xff\xfe", b"[1]", b'{"kind": "something else"}\n', b"[" * 100_000):
        with pytest.raises(SessionError, match="not a training session"):
            read_session(foreign)
    monkeypatch.setattr(session_file, "MOST_BYTES", len(recorded) - 1)
    with pytest.raises(SessionError, match="larger than"):
        read_session(recorded)


def test_files_of_format_1_can_be_read(recorded: bytes) -> None:
    """They have no scenario."""
    plan, inputs = read_session(recorded)
    writer = SessionWriter()
    old = writer.header(plan, 1) + b"".join(map(writer.line, inputs))
    assert b'"format":1' in old
    assert b"scenario" not in old
    assert read_session(old) == (plan, inputs)


def test_files_that_no_table_can_have_are_refused(recorded: bytes) -> None:
    """With the right sums, but with another rulebook, impossible inputs or an impossible plan."""
    plan, inputs = read_session(recorded)
    book = load("uth-ma")
    with pytest.raises(SessionError, match="another version of uth-ma"):
        replay_session(plan, inputs, load("uth-sd"))
    bet = next(one for one in inputs if type(one.input).__name__ == "Bet")
    with pytest.raises(SessionError, match="line 2 of the file is damaged: the table does not allow"):
        replay_session(plan, [bet], book)
    with pytest.raises(SessionError, match="does not allow this input"):
        replay_session(plan, [*inputs, inputs[0]], book)
    for terms in ({"mode": 5}, {"limits": 3}, {"mode": "manual", "limits": {"ante": {"min": []}}}):
        with pytest.raises(SessionError, match=r"no table can have this plan|the table cannot open"):
            replay_session(replace(plan, terms=terms), inputs, book)
    writer = SessionWriter()
    line = writer.header(plan).replace(b'"seats":3', b'"seats":"x"')
    with pytest.raises(SessionError, match="line 1 of the file is damaged"):
        read_session(line)


def test_the_command_records_and_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "session.jsonl"
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("help\nacts\ntable\nclause MA-9.h\nfoo\nconfirm the deck\nquit\n")
    )
    command = ["train", "uth-ma", "--mode", "manual", "--seed", "7", "--record", str(file)]
    assert main(command) == 0
    printed = capsys.readouterr().out
    for part in ("You confirmed the deck.", 'no act "foo"', "5 rounds were not finished", "no score"):
        assert part in printed
    assert main(["train", "--replay", str(file)]) == 0
    assert capsys.readouterr().out == "You finished no round, so there is no score.\n"
    assert main(["train", "--replay", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds_per_hour"] == 0
    # A file is never overwritten.
    kept = file.read_bytes()
    assert main(command) == 2
    assert "cannot create" in capsys.readouterr().err
    assert file.read_bytes() == kept
    first, rest = kept.split(b"\n", 1)
    file.write_bytes(first + b"\n" + rest.replace(b"deck", b"duck"))
    assert main(["train", "--replay", str(file)]) == 2
    assert "line 2 of the file is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--mode", "machine"], "--mode must be manual or device"),
        (["--rounds", "0"], "the number of rounds must be 1 to 500 (got 0)"),
        (["--seats", "9"], "the number of seats must be 1 to 6 (got 9)"),
        (["--seed", "\udcff"], "--seed must be printable text"),
        (["--json"], "--json needs --replay"),
        (["--replay", "missing.jsonl"], "cannot read missing.jsonl"),
    ],
)
def test_wrong_options(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "uth-ma", *options]) == 2
    assert says in capsys.readouterr().err


def test_cards_come_from_the_seed() -> None:
    """The same seed deals the same cards; another seed deals others."""
    boards = []
    for seed in ("7", "7", "8"):
        at = Typist(session(seed=seed))
        at.deal()
        cards = [card for one in at.session.inputs for card in one.cards]
        assert len(set(cards)) == len(cards) > 10
        assert set(cards) <= set(DECK)
        boards.append(cards)
    assert boards[0] == boards[1] != boards[2]


# --- planted faults ---


def test_a_reader_that_drops_a_chip_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If `pay` loses the smallest chip, the trainee who follows the document underpays."""
    whole = chair_commands._stack

    def short(*args: Any) -> dict[int, int]:
        stack = whole(*args)
        return stack | {min(stack): stack[min(stack)] - 1}

    monkeypatch.setattr(chair_commands, "_stack", short)
    at = Typist(session(seed="3"))
    at.deal()
    assert at.session.score.under > 0
    assert set(at.session.score.kinds) == {"wrong amount"}


def test_sums_that_ignore_the_lines_before_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of moved lines depends on the chain: without it, such a file is read."""
    chained = session_file._check_sum
    monkeypatch.setattr(session_file, "_check_sum", lambda before, body: chained("", body))
    at = Typist(session())
    at.deal()
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_missing_and_moved_lines_are_noticed(at.file.getvalue())


def test_a_file_that_loses_the_cards_is_noticed(recorded: bytes) -> None:
    """Without its cards, a session does not replay to the same table."""
    plan, inputs = read_session(recorded)
    whole = replay_session(plan, inputs, load("uth-ma"))
    without = [replace(one, cards=()) for one in inputs]
    try:
        again = replay_session(plan, without, load("uth-ma"))
    except SessionError:
        return
    assert again.judgements != whole.judgements
