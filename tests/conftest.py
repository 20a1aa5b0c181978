"""What every test has: the clause plug-in, and Hypothesis profiles that do not race the clock."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["houseway.testing.clauses"]

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile(
    "long", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SLOW = (
    "conformance/",
    "exact/",
    "page/",
    "simulate/",
    "live/test_live",
    "live/test_proofs",
    "play/test_plain.py::test_a_record_that",
    "play/test_plain.py::test_killed_in_mid_round",
    "play/test_remote",
    "play/test_screen",
    "record/test_history",
    "record/test_store",
    "record/test_verify_bytes",
    "report/test_sheet",
    "server/test_client.py::test_a_bot_of_each_style_plays_over_the_network[best]",
    "server/test_fuzz",
    "server/test_kills",
    "server/test_once",
    "server/test_solver",
    "shoe/test_entropy.py::test_a_million_seeds",
    "shoe/test_uniform",
    "shoe/test_verifier",
    "test_checker.py::test_a_file_with_a_line_dropped",
    "test_checker.py::test_a_rulebook_with_a_key_or_row_dropped",
    "test_conserved",
    "test_core",
    "test_docs",
    "test_engine_machine",
    "test_engine_rounds",
    "test_twins",
    "test_views",
)
"""What daily work can do without (make test-fast); all of it runs with make test."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow by where it stands."""
    here = Path(__file__).parent
    for item in items:
        _, _, name = item.nodeid.partition("::")
        if f"{item.path.relative_to(here).as_posix()}::{name}".startswith(SLOW):
            item.add_marker(pytest.mark.slow)
