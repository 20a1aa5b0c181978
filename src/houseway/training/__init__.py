"""Training of dealers: acts in the dealer's chair, the table after each act, and the judgement."""
