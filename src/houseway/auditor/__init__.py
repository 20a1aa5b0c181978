"""The auditor: follows the records of a house, recomputes every payment, and watches the frequencies."""
