"""What a deal is: cards, contract, rules of play, layout."""
