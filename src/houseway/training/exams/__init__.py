"""Exams for dealers: the file of an exam, a running exam, its result and its record."""
