"""The conformance corpus: the modules that generate its rounds, and tests of the corpus and its runner."""
