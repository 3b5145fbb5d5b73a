"""The records that flow through the engine, from task to verdict: frozen, no behaviour."""
