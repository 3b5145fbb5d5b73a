"""The search loop: streams of candidates, their order, stopping, retries."""
