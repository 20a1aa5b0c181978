"""Drills for dealers: seeded questions from any rulebook, right answers from the engine, and grading."""
