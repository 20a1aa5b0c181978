"""The core of a table. It turns commands into events or refusals, and rounds into settlements."""
