"""The auditor: reads the records of a house as they grow, recomputes every payment, and checks
frequencies."""
