"""The compiled half of exact analysis: pure functions over arrays, pay tables always arguments."""
