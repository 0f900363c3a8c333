"""From which hand on a bid is right: hands drawn and estimated, in tables and as rules of thumb."""
