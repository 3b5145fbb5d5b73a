from .engine import BillingEngine, BillingError, Subscription
from .periods import BillingPeriod, add_months
from .plans import Interval, Plan

__all__ = ["BillingEngine", "BillingError", "Subscription", "BillingPeriod",
           "add_months", "Interval", "Plan"]
