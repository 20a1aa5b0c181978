"""Tables as the lobby lists them and the page draws them, built from the rulebook."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from houseway.client.layout_spots import betting_spot
from houseway.client.messages import Circle, HouseLine, Kind, PayLine, Place, TableCard, TableSheet
from houseway.engine.meters import MICRO
from houseway.engine.script import chip_values
from houseway.engine.seats_and_wagers import limit_warnings
from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.live.runner import TableRunner
from houseway.live.table_plan import TablePlan
from houseway.money import spoken
from houseway.report.document import SheetTable as Printed
from houseway.report.pay_tables import schedules
from houseway.report.payment_words import conditions, row_payment
from houseway.rules.compare.value_words import cite
from houseway.rules.odds_words import wording
from houseway.rules.wagers import Wager

USUAL: Final = (100, 500, 2500, 10000, 50000)
"""Chip values in cents, used if the house sets none."""


def table_card(runner: TableRunner) -> TableCard:
    """Return a table as the lobby shows it."""
    plan = runner.plan
    terms, state = runner.table.terms, runner.state
    return TableCard(
        table=runner.stream,
        name=plan.name,
        rulebook=terms.rulebook.id,
        title=terms.rulebook.title,
        game=terms.rulebook.game,
        mode=terms.mode,
        limits=limits_text(terms),
        notes=(
            *table_notes(terms, offered(terms, plan, state.unoffered)),
            *limit_warnings(runner.table, state),
        ),
        seats=tuple(_place(runner, n) for n in range(1, runner.table.seats + 1)),
        meters={name: micro // MICRO for name, micro in state.meters.items()},
        round=state.round.number,
        clock=plan.order.clock,
        pace=plan.order.pace,
        dealer=state.dealer,
        open=state.section != "closed",
        link=state.link,
        place=terms.rulebook.place,
    )


def _place(runner: TableRunner, seat: int) -> Place:
    """Return a seat of the table with its player, if it has one."""
    sitting = runner.state.seats.get(seat)
    if sitting is None:
        return Place(seat=seat, held=runner.state.held.get(seat, ("",))[0])
    kind: Kind = "bot" if runner.presence.is_bot(seat) else "person"
    return Place(seat=seat, player=sitting.player, kind=kind)


def limits_text(terms: Terms) -> str:
    """Return the limits of the wager that a player needs to be dealt in."""
    first = min(terms.ways_in[0]) if terms.ways_in else terms.stakeable[0]
    bound = terms.bounds[first]
    most = spoken(bound.high) if bound.high else "any amount"
    return f"{spoken(bound.low or 0)} to {most}"


def table_notes(terms: Terms, wagers: Iterable[Wager]) -> list[str]:
    """Return the side bets among a table's wagers with their pay tables, and how its cards are dealt."""
    return [*side_bet_notes(terms, wagers), *filter(None, [deal_note(terms)])]


def side_bet_notes(terms: Terms, wagers: Iterable[Wager]) -> list[str]:
    """Return the side bets among a table's wagers, each with the name of its pay table."""
    notes = []
    for wager in wagers:
        group = wager.group
        if wager.optional and (group.on_own_cards or group.on_whole_table):
            name = terms.named_tables.get(wager.name) or terms.tables.get(wager.name)
            notes.append(f"{wager.title} {name}" if name else wager.title)
    return notes


def deal_note(terms: Terms) -> str:
    """Return how a table's cards are dealt; empty if the rulebook has only one deal mode."""
    if len(terms.rulebook.modes) < 2:
        return ""
    return f"dealt by {'device' if terms.mode == 'device' else 'hand'}"


def offered(terms: Terms, plan: TablePlan, unoffered: Collection[str]) -> list[Wager]:
    """Return the wagers of the table's deal mode, except those that the table does not offer."""
    return [
        wager
        for wager in terms.wagers
        if wager.name not in unoffered
        and wager.name not in plan.order.leave_out
        and (wager.modes is None or terms.mode in wager.modes.value)
    ]


def table_sheet(runner: TableRunner, card: TableCard) -> TableSheet:
    """Return a table with everything the page needs to draw it."""
    plan, terms = runner.plan, runner.table.terms
    wagers = offered(terms, plan, runner.state.unoffered)
    given = {"limits": plan.given.get("limits", {}), "house": plan.given.get("house", {})}
    return drawn_table(runner.table, card, wagers, given)


def drawn_table(
    table: Table, card: TableCard, wagers: Iterable[Wager], given: Mapping[str, Any]
) -> TableSheet:
    """Return what the page needs to draw a table with these wagers.

    `given` are its limits and house settings.
    """
    terms = table.terms
    circles = []
    signs: dict[str, tuple[PayLine, ...]] = {}
    for wager in wagers:
        if wager.group.on_other_hands:
            continue
        pays, columns = _pays(terms, wager)
        signs |= columns
        circles.append(
            betting_spot(
                Circle,
                terms,
                wager,
                times=tuple(sorted(terms.sizes)) if wager.later else (),
                table=terms.tables.get(wager.name, "") if wager.optional else "",
                pays=pays,
                clause=cite(wager.basis) or None,
            )
        )
    qualifier = terms.rulebook.option("qualifier")
    return TableSheet(
        card=card,
        circles=tuple(circles),
        positions=table.seats,
        cards=table.hand_size,
        board=table.board_size,
        qualifies=f"a {qualifier} or better" if qualifier and qualifier != "none" else "",
        signs=signs,
        house_way=posted_house_way(terms),
        more_positions=terms.one_position is None,
        chips=tuple(sorted(chip_values(table))) or USUAL,
        given={
            "mode": terms.mode,
            "tables": dict(terms.named_tables),
            **given,
        },
        hash=terms.hash,
    )


def posted_house_way(terms: Terms) -> tuple[HouseLine, ...]:
    """Return the house way for players to inspect, with the clause that requires it to be posted."""
    way, postings = terms.rulebook.house_way, terms.rulebook.postings
    if way is None:
        return ()
    posted = next((p for p in postings if p.shows == "house_way"), None)
    clause = terms.cite(posted.basis if posted else way.basis)
    return tuple(HouseLine(keeps=line.text, clause=clause) for line in way.lines)


def _pays(terms: Terms, wager: Wager) -> tuple[tuple[PayLine, ...], dict[str, tuple[PayLine, ...]]]:
    """Return a wager's pay table as lines, or as one sign per column if it has several columns of odds."""
    block = next((b for b in schedules(terms, wager, chosen=True) if isinstance(b, Printed)), None)
    if block is None:
        return _rows(terms, wager), {}
    foot = block.foot or ("",) * len(block.columns)
    if len(block.columns) > 3:
        return (), {
            column.title: tuple(
                PayLine(hand=row[0], pays=row[n], clause=foot[n] or None) for row in block.rows
            )
            for n, column in enumerate(block.columns)
            if n
        }
    # The third column of a row is its clause. A row without a clause has the clause at the table's foot.
    lines = ((*row, foot[-1])[:3] for row in block.rows)
    return tuple(PayLine(hand=hand, pays=pays, clause=clause or None) for hand, pays, clause in lines), {}


def _rows(terms: Terms, wager: Wager) -> tuple[PayLine, ...]:
    """Return the pay lines of a wager without a pay table, from its own rows."""
    words = wording(terms.rulebook)
    return tuple(
        PayLine(
            hand=conditions(row.when) or "otherwise",
            pays=row_payment(row, words),
            clause=cite(row.basis) or None,
        )
        for row in wager.pays
    )
