"""Five papers, repeated number by number: a part that plugs into the comparison."""
