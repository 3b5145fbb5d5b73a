"""Everything that talks to a language model: the endpoint, the prompt, the reply, the source of edits."""
