"""The house: live tables in the browser and for programs."""
