"""Before the first lead: bids, plans, passing, thresholds, rules of thumb."""
