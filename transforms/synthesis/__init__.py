"""Value-guided synthesis: the places of a function that are asked about, and proposals made of the answers."""
