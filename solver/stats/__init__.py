"""Numbers about numbers: rates, intervals, sequences, paired differences. Knows no card."""
