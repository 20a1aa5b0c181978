"""Settings for every test: the clause plug-in, and Hypothesis profiles without a deadline."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from planted import PLACES

pytest_plugins = ["houseway.testing.clauses", "clauses_page", "schedule"]

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile(
    "long", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SLOW = (
    "auditor/",
    "certificates/",
    "conformance/",
    "exact/",
    "live/test_insider",
    "live/test_live",
    "live/test_proofs",
    "page/",
    "play/test_game",
    "play/test_plain",
    "play/test_positions",
    "play/test_remote",
    "play/test_screen",
    "play/test_staff",
    "record/test_backup",
    "record/test_class_rows",
    "record/test_damage",
    "record/test_dispute",
    "record/test_explain",
    "record/test_export",
    "record/test_golden",
    "record/test_history",
    "record/test_house_log",
    "record/test_leases",
    "record/test_linked_once.py",
    "record/test_people_rows",
    "record/test_personal_streams",
    "record/test_store",
    "record/test_verify.py::test_forged_entries",
    "record/test_verify_bytes",
    "report/test_report_wording",
    "report/test_sheet",
    "school/test_hidden_cards",
    "school/test_leaks.py::test_a_planted_leak",
    "school/test_leaks.py::test_a_player_with_ordinary_error",
    "school/test_recorded_rounds",
    "second_settler/test_plain_shootout.py::test_each_hand_reader",
    "second_settler/test_plain_shootout.py::test_house_way_reaches",
    "server/test_any_command",
    "server/test_certificates",
    "server/test_client.py::test_a_bot_of_each_style_plays_over_the_network[best]",
    "server/test_decks",
    "server/test_described",
    "server/test_event_log",
    "server/test_failover",
    "server/test_find",
    "server/test_front_door",
    "server/test_fuzz",
    "server/test_irregular",
    "server/test_kills",
    "server/test_money",
    "server/test_once",
    "server/test_places.py::test_a_pushed_blind",
    "server/test_replays",
    "server/test_secrecy",
    "server/test_several_servers",
    "server/test_sockets.py::test_a_connection_without_a_whole_request_is_closed",
    "server/test_sockets.py::test_a_dropped_slow_reader_leaves_no_connection",
    "server/test_solver",
    "server/test_store_trouble",
    "server/test_through_another_server",
    "server/test_training",
    "server/test_websocket_attacks.py",
    "shoe/test_entropy.py::test_seeds_of_many_processes",
    "shoe/test_uniform",
    "shoe/test_verifier",
    "simulate/",
    "simulated_world/",
    "test_always_void",
    "test_bite",
    "test_catalogue",
    "test_checker",
    "test_clause_code",
    "test_cli.py::test_check_reports_every_bundled",
    "test_cli.py::test_every_performed_or_enforced",
    "test_conserved",
    "test_core",
    "test_docs",
    "test_engine_conformance",
    "test_engine_machine",
    "test_engine_rounds",
    "test_extending",
    "test_fact_groups",
    "test_house_changes",
    "test_names",
    "test_new_rulebook",
    "test_options_agree",
    "test_plain_readings.py",
    "test_ranking.py::test_a_rulebook_can_rank",
    "test_ranking.py::test_fast_and_readable_agree",
    "test_ranking.py::test_the_number_of_hands_of_each_class_is_as_published",
    "test_ranking.py::test_the_shipped_tables",
    "test_settle.py::test_a_spoilt_round",
    "test_settle.py::test_every_wager_is_settled_once",
    "test_settle.py::test_money_is_conserved",
    "test_side_bet_walk",
    "test_soundness",
    "test_table_view",
    "test_twins",
    "test_views",
    "test_walk_of_a_wager",
    "training/test_any_acts",
    "training/test_any_error",
    "training/test_clean_rounds",
    "training/test_conduct",
    "training/test_dealer_faults",
    "training/test_drill",
    "training/test_exam_command",
    "training/test_exams",
    "training/test_find_rounds",
    "training/test_folds_in",
    "training/test_happenings",
    "training/test_planted_errors",
    "training/test_possible",
    "training/test_scenarios",
    "training/test_special_acts",
    "training/test_train_command",
)
"""Tests that `make test-fast` skips; `make test` runs all of them."""
EVERY_CASE = (
    "clauses/",
    "live/test_amount_limits",
    "narrate/",
    "second_settler/",
    "shoe/",
    "test_refusals",
)
"""Quick parametrized tests that `make test-fast` runs with every case; it runs the others with their first case."""
HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast", action="store_true", help="skip slow tests, and most parameters of the others"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--fast`, skip files in which every test is slow, and do not import them.

    The imports would take longer than all other tests.
    """
    return True if config.getoption("--fast") and _place(collection_path).startswith(SLOW) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow tests and tests that plant a fault; with `--fast`, deselect most of the tests."""
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    started: set[str] = set()
    for item in items:
        _, _, name = item.nodeid.partition("::")
        place = f"{_place(item.path)}::{name}"
        function = place.partition("[")[0]
        if place.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if function in PLACES:
            item.add_marker(pytest.mark.planted)
        skipped = item.get_closest_marker("slow") is not None
        skipped |= function in started and not place.startswith(EVERY_CASE)
        (left_out if skipped else kept).append(item)
        if not skipped:
            started.add(function)
    if config.getoption("--fast"):
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def _place(path: Path) -> str:
    """Return a path relative to the tests; a folder ends with a slash."""
    place = path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else ""
    return f"{place}/" if path.is_dir() else place
