"""The score sheet of an exam: one self-contained HTML page that prints on one sheet of paper, or text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from html import escape
from importlib import resources
from typing import Final

from houseway.money import exactly
from houseway.report import exam_result as r
from houseway.report.score_chart import bar_svg, mark, points_svg, rounds_svg
from houseway.wording import as_sentence, capital, overpaid_or_underpaid, printable, several

STYLE: Final = resources.files("houseway.report").joinpath("score_sheet.css").read_text("utf-8")
MOST_SLIPS: Final = 10
MOST_LINES: Final = 6
"""The most slips, and the most reasons, attempts and incidents, that are printed. More would not fit on one
page; they are in the record."""
SUITS: Final = {"s": "♠\ufe0e", "h": "♥\ufe0e", "d": "♦\ufe0e", "c": "♣\ufe0e"}
"""The signs of the suits, drawn as text and not as emoji."""
SHOWN_DIGITS: Final = 8
FOR_THE_EXAMINER: Final = "for the examiner"
NOT_JUDGED: Final = "not judged"
TRAINEE_LEFT: Final = "the trainee left"
"""The reason in the record if the trainee ends an exam early."""
ENDS: Final = {r.ABORTED: "Ended early,"}
"""Clearer words for the end of an exam."""
KNOWN_SEED: Final = "The trainee knew the seed: this is a rehearsal."
HEADINGS: Final = {r.DOLLARS: "Dollars", r.SECONDS: "Seconds", r.CLAUSES: "Clauses"}
SUBTITLES: Final = {r.DOLLARS: "bets settled", r.SECONDS: "pace", r.CLAUSES: "accuracy"}
"""What the measures of each column are about."""
MODES: Final = {
    "manual": "dealt by hand",
    "device": "dealt by machine",
    "manual and device": "dealt by hand, then by machine",
    "device and manual": "dealt by machine, then by hand",
}


def score_page(result: r.ExamResult, certificate: str = "", issuer: str = "") -> str:
    """Return the score sheet as a complete page.

    `certificate` is the signed certificate and `issuer` the house that signed it; both are empty if there
    is none.
    """
    title = f"{result.title}, {_game(result)}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Score sheet: {_text(title)}</title>
<style>
{STYLE}{_panel_styles(len(result.slips[:MOST_SLIPS]))}</style>
</head>
<body>
<main class="sheet">
{_head(result, title)}
{_outside(result)}<div class="columns">
{"".join(_column(result, name) for name in r.COLUMNS)}</div>
<div class="two">
<section>
<h2>Slips</h2>
{_slips(result)}</section>
<section>
<h2>Audition categories</h2>
{"".join(map(_category, result.categories))}<p class="quiet">{_unseen(result)}</p>
</section>
</div>
<h2>{_rounds_heading(result)}</h2>
{rounds_svg(result.round_times, result.rounds)}
<section class="facts" aria-label="About this test">
{"".join(f"<p>{line}</p>" for line in _fact_lines(result))}
</section>
</main>
{_panels(result)}{_strip(result, certificate, issuer)}</body>
</html>
"""


def _text(words: str) -> str:
    return escape(printable(words))


def _game(result: r.ExamResult) -> str:
    return result.rulebook_title.rpartition(", ")[2]


def _when(result: r.ExamResult) -> str:
    """Return the date and the times of a test in words."""
    try:
        start = datetime.fromisoformat(result.started)
        day = f"{start.day} {start:%B %Y}, {start:%H:%M}"
        return (
            f"{day} to {datetime.fromisoformat(result.ended):%H:%M} UTC" if result.ended else f"{day} UTC"
        )
    except ValueError:
        return " to ".join(filter(None, (result.started, result.ended)))


def _about(result: r.ExamResult) -> str:
    document = result.rulebook_title.rpartition(", ")[0] or result.rulebook_title
    rounds = f"{several(result.rounds, 'round')}, {several(result.players, 'player')}"
    return (
        f"{document}, {result.rulebook}. {rounds}, {MODES.get(result.mode, result.mode)}. {_when(result)}."
    )


def _who(result: r.ExamResult) -> str:
    if result.examiner == r.SELF_ADMINISTERED:
        return "Taken without an examiner (self-administered)"
    return f"Examiner: {result.examiner}"


def verdict_word(result: r.ExamResult) -> str:
    """Return "Passed" or "Not passed"."""
    return "Passed" if result.passed else "Not passed"


def _head(result: r.ExamResult, title: str) -> str:
    glyph = mark("right" if result.passed else "wrong")
    note = f"<p>{_text(result.rulebook_note)}</p>" if result.rulebook_note else ""
    return f"""<header class="head">
<div><p>Score sheet</p><h1>{_text(title)}</h1><p>{_text(_about(result))}</p>{note}</div>
<div class="verdict{"" if result.passed else " no"}">
<p class="word">{glyph} {verdict_word(result)}</p>
<p>{_text(result.trainee)}</p><p>{_text(_who(result))}</p></div>
</header>"""


def outside_lines(result: r.ExamResult) -> list[str]:
    """Return why an exam was not passed: its end, automatic failures, measures outside their limits."""
    lines = []
    if result.outcome != r.FINISHED:
        lines.append(
            f"{ENDS.get(result.outcome, result.outcome.capitalize())} after {result.finished} of "
            f"{several(result.rounds, 'round')}."
        )
    lines += [f"Automatic failure. {line}" for line in result.failures]
    lines += [f"{one.label} {one.shown}: {one.limit_shown}." for one in result.outside]
    return lines


def _outside(result: r.ExamResult) -> str:
    lines = [] if result.passed else outside_lines(result)
    if not lines:
        return ""
    items = "".join(f"<li>{_text(line)}</li>" for line in _first(lines))
    return f'<section class="outside" aria-label="Why it was not passed"><ul>{items}</ul></section>\n'


def _column(result: r.ExamResult, name: str) -> str:
    measures = [one for one in result.measures if one.column == name]
    parts = "".join(_measure(one, first=not n) for n, one in enumerate(measures))
    subtitle = f'<p class="quiet">{SUBTITLES[name]}</p>'
    return f"<section>\n<h2>{HEADINGS[name]}</h2>\n{subtitle}\n{parts}</section>\n"


def _measure(one: r.ExamMeasure, *, first: bool) -> str:
    detail = ", ".join(filter(None, (one.detail, one.limit_shown)))
    outside = "" if one.passed else f"{mark('wrong')} outside: "
    kind = " ".join(filter(None, ("measure", "first" if first else "", "" if one.passed else "bad")))
    bar = bar_svg(one) if first else ""
    below = f"<p>{outside}{_text(detail)}</p>" if detail or outside else ""
    return (
        f'<div class="{kind}"><div><span>{_text(one.label)}</span><b>{_text(one.shown)}</b></div>'
        f"{bar}{below}</div>\n"
    )


# --- slips ---


def amount_word(slip: r.SlipLine) -> str:
    """Return the wrong amount of a slip, or one word for its kind."""
    if slip.amount:
        return f"{'+' if slip.amount > 0 else '−'}{exactly(abs(slip.amount))}"
    return {"out of order": "order", "unseen irregularity": "unseen"}.get(slip.kind, slip.kind)


def _slips(result: r.ExamResult) -> str:
    failures = f"Automatic failures: {len(result.failures) or 'none'}."
    if not result.slips:
        return f'<p class="quiet">No slips.</p>\n<p class="quiet">{failures}</p>\n'
    rows = "".join(_slip_row(n, slip) for n, slip in enumerate(result.slips[:MOST_SLIPS], 1))
    more = len(result.slips) - MOST_SLIPS
    left = f" {several(more, 'more slip is', 'more slips are')} in the record." if more > 0 else ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Round", "Slip", "Amount", "Clause"))
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
        f'<p class="quiet">{failures}{left}</p>\n'
    )


def _slip_row(number: int, slip: r.SlipLine) -> str:
    kind = "late" if slip.kind == "late" else "wrong"
    cured = " Repaired." if slip.cured else ""
    chosen = " checked" if number == 1 else ""
    tag = (
        f'<span class="tag">{_text(slip.clause)}</span>'
        if slip.clause
        else '<span class="quiet">no clause</span>'
    )
    return (
        f'<tr><td class="round"><label><input type="radio" name="slip" id="slip-{number}"{chosen}>'
        f"{mark(kind)} Round {slip.round}</label></td>"
        f'<td class="sentence"><label for="slip-{number}">{_text(slip.sentence)}{cured}</label></td>'
        f'<td class="what">{_text(amount_word(slip))}</td><td class="clause">{tag}</td></tr>\n'
    )


def _panel_styles(count: int) -> str:
    """Return the style that shows the panel of the chosen slip."""
    rules = (f"body:has(#slip-{n}:checked) #panel-{n} {{ display: block; }}" for n in range(1, count + 1))
    return "@media screen {\n" + "\n".join(rules) + "\n}\n" if count else ""


def _panels(result: r.ExamResult) -> str:
    slips = result.slips[:MOST_SLIPS]
    panels = "".join(_panel(n, len(result.slips), slip) for n, slip in enumerate(slips, 1))
    return f'<aside aria-label="The chosen slip">\n{panels}</aside>\n'


def _panel(number: int, of: int, slip: r.SlipLine) -> str:
    seat = f", seat {slip.seat}" if slip.seat else ""
    places = "".join(
        f"<p>{_text(one.place)}</p><div class='cards'>{''.join(map(_card, one.cards))}</div>"
        for one in slip.cards
    )
    if slip.stake:
        places += f"<p>{_text(slip.wager.replace('_', ' '))} {exactly(slip.stake)}</p>"
    felt = f'<div class="felt">{places}</div>' if places else ""
    did = as_sentence(slip.did) or "Nothing."
    right = as_sentence(slip.right) or "Nothing was due."
    facts = [("You did", f"{mark('wrong')} {_text(did)}"), ("Right", f"{mark('right')} {_text(right)}")]
    if slip.amount:
        facts.append(("Difference", f"{exactly(abs(slip.amount))} {overpaid_or_underpaid(slip.amount)}"))
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    says = _text(slip.says) or "No clause is cited for this."
    return (
        f'<section class="panel" id="panel-{number}"><p>Slip {number} of {of}, round {slip.round}{seat}</p>'
        f"<h2>{_text(capital(slip.heading or slip.kind))}</h2>{felt}<dl>{listed}</dl>"
        f'<p class="says"><b>{_text(slip.clause)}</b>{says}</p></section>\n'
    )


def _card(code: str) -> str:
    rank, suit = code[:-1], code[-1:]
    red = " red" if suit in "hd" else ""
    return f'<div class="card{red}">{_text(rank)}<span>{SUITS.get(suit, _text(suit))}</span></div>'


# --- categories, facts, certificate ---


def _category(one: r.Category) -> str:
    if one.points is None:
        space = "<span></span>" if one.seen else '<span class="blank"></span>'
        return (
            f'<div class="category"><span>{_text(one.name)}</span>'
            f'<span class="whose">{_blank(one)}</span>{space}</div>\n'
        )
    points = f"{points_svg(one.points)}<b>{one.points}</b>"
    return f'<div class="category"><span>{_text(one.name)}</span>{points}</div>\n'


def _blank(one: r.Category) -> str:
    return NOT_JUDGED if one.seen else FOR_THE_EXAMINER


def _unseen(result: r.ExamResult) -> str:
    blank = [one.name for one in result.categories if not one.seen]
    words = {1: "one", 2: "two", 3: "three"}.get(len(blank), str(len(blank)))
    return f"The program cannot see the last {words}." if blank else ""


def _rounds_heading(result: r.ExamResult) -> str:
    of = "" if result.finished == result.rounds else f" of {result.rounds}"
    return f"{several(result.finished, 'round')}{of}"


def fact_lines(result: r.ExamResult) -> list[tuple[str, str]]:
    """Return the facts about a test besides its score, each with its heading."""
    facts = [("Attempts", _attempts(result)), ("Interruptions", _incidents(result))]
    facts.append(("Planted irregularities", _irregularities(result)))
    if result.terms:
        facts.append(("Table", f"{'; '.join(result.terms)}."))
    published = f"SHA-256 of both, published at the start: {result.commitment}."
    sealed = f"Seed: {result.seed}. Salt: {result.salt}. {published}"
    facts.append(("Cards", f"{KNOWN_SEED} {sealed}" if result.seed_known else sealed))
    hashes = (result.rulebook_hash, result.exam_hash, result.record or "none")
    listed = "rulebook {}, exam {}, record {}".format(*hashes)
    facts.append(
        ("SHA-256", f"{listed}, table {result.terms_hash}." if result.terms_hash else f"{listed}.")
    )
    return facts


def _fact_lines(result: r.ExamResult) -> Iterator[str]:
    for name, words in fact_lines(result):
        yield f"<b>{name}.</b> {_text(words)}"


def _irregularities(result: r.ExamResult) -> str:
    happened, absent = len(result.irregularities), len(result.absent)
    if not absent:
        return f"{happened or 'None'} of those in the rulebook came up."
    listed = f"{happened or 'None'} of the {happened + absent} in the rulebook came up."
    left = [name for name in result.absent if not any(one.startswith(name) for one in result.impossible)]
    parts = {"Impossible under this document": result.impossible, "Did not come up": left}
    return " ".join([listed, *(f"{why}: {'; '.join(names)}." for why, names in parts.items() if names)])


def _attempts(result: r.ExamResult) -> str:
    erased = _erased(result.erased)
    if result.earlier is None:
        return f"Unknown, because no list of earlier attempts was kept.{erased}"
    if not result.earlier:
        return erased.strip() or "This is the first attempt."
    listed = "; ".join(_first([f"{one.started} {one.outcome}" for one in result.earlier]))
    return f"{several(len(result.earlier), 'earlier attempt')}: {listed}.{erased}"


def _erased(erased: r.ErasedAttempts | None) -> str:
    """Return a sentence about the attempts that the trainee erased; empty if there are none."""
    if erased is None:
        return ""
    if not erased.count:
        return f" The trainee erased their data on {erased.at[:10]}."
    exams = several(erased.count, "earlier exam was", "earlier exams were")
    return f" {exams} erased by the trainee, the last time on {erased.at[:10]}."


def _incidents(result: r.ExamResult) -> str:
    if not result.incidents:
        return "None."
    listed = [f"{_incident(one)} at {_clock(one.time)}" for one in result.incidents]
    return f"{'; '.join(_first(listed))}."


def _incident(one: r.Incident) -> str:
    """Return what happened to the exam: a lost connection, a reconnection or an early end."""
    if not one.why:
        return one.kind
    return "the trainee quit" if one.why == TRAINEE_LEFT else f"ended early ({one.why})"


def _first(lines: list[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], f"and {more} more, in the record"] if more > 0 else lines


def _clock(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _short(digest: str) -> str:
    parts = (digest[:4], digest[4:8], "…", digest[-4:])
    return " ".join(parts) if digest else "none"


def certificate_note(result: r.ExamResult) -> str:
    """Return why a result has no certificate."""
    if result.passed and result.examiner == r.SELF_ADMINISTERED:
        return "Self-administered: only a house that examines you can sign a certificate."
    if result.passed:
        return f"{result.title}s give no certificate." if not result.certificate else "Not signed."
    return "Not passed, so there is no certificate."


def _strip(result: r.ExamResult, certificate: str, issuer: str) -> str:
    button = '<button class="button" onclick="window.print()">Print sheet</button>'
    if not certificate or not result.certificate:
        return (
            f'<footer class="strip"><div><p>{_text(certificate_note(result))}</p></div>{button}</footer>\n'
        )
    hashes = (
        ("Rulebook", result.rulebook_hash),
        ("Exam", result.exam_hash),
        ("Record head", result.record),
    )
    listed = "".join(f"<div><dt>{name}</dt><dd>{_short(value)}</dd></div>" for name, value in hashes)
    link = f"data:application/jwt,{escape(certificate)}"
    return (
        f'<footer class="strip"><div><h2>Certificate for {_text(result.trainee)}</h2>'
        f"<p>Open Badges 3.0 credential, signed by {_text(issuer)}.<br>"
        f"Anyone can verify it without this program.</p></div>"
        f"<dl>{listed}</dl>{button}"
        f'<a class="button main" download="certificate.jwt" href="{link}">Download certificate</a>'
        f"</footer>\n"
    )


# --- text ---


def score_text(result: r.ExamResult) -> list[str]:
    """Return the score sheet in lines, for the terminal."""
    lines = [
        f"Score sheet: {result.title}, {_game(result)}",
        _about(result),
        result.rulebook_note,
        f"{verdict_word(result)}. Name: {result.trainee}. {_who(result)}.",
        *([] if result.passed else outside_lines(result)),
    ]
    for name in r.COLUMNS:
        lines.append(f"{HEADINGS[name]} ({SUBTITLES[name]}):")
        lines += [_measure_line(one) for one in result.measures if one.column == name]
    lines.append(f"Slips: {len(result.slips) or 'none'}.")
    for number, slip in enumerate(result.slips, 1):
        cured = " Repaired." if slip.cured else ""
        clause = slip.clause or "no clause"
        lines.append(f"  {number}. Round {slip.round}: {slip.sentence}{cured} [{clause}]")
    lines.append("Audition categories, at most 10 points:")
    lines += [
        f"  {one.name}: {_blank(one) if one.points is None else one.points}" for one in result.categories
    ]
    lines.append(_unseen(result))
    lines += [f"{name}: {words}" for name, words in fact_lines(result)]
    return [printable(line) for line in lines if line]


def _measure_line(one: r.ExamMeasure) -> str:
    detail = ", ".join(filter(None, (one.detail, one.limit_shown)))
    outside = "" if one.passed else " OUTSIDE THE LIMIT"
    return f"  {one.label}: {one.shown}{f' ({detail})' if detail else ''}{outside}"
