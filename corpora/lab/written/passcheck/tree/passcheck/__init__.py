from passcheck.policy import Policy, Violation

__all__ = ["Policy", "Violation"]
