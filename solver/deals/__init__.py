"""All cards known: what a deal is worth, which card, one line, what is wrong in a record."""
