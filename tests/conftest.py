"""What every test has: the clause plug-in, and Hypothesis profiles that do not race the clock."""

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ["houseway.testing.clauses"]

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile(
    "long", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
