"""The questions: what a deal is worth, which card is best, how often a bid makes."""
