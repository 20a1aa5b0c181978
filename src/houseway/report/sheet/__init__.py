"""The par sheet: every wager of a rulebook with its exact figures, ready to print and sign."""

from houseway.report.sheet.make_sheet import par_sheet
from houseway.report.sheet.model import Entry, Sheet

__all__ = ["Entry", "Sheet", "par_sheet"]
