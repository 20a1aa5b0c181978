"""The conformance corpus: how its rounds are made, and tests of the suite."""
