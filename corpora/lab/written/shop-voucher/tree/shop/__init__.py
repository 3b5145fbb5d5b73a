from .cart import Cart, Item
from .vouchers import FixedVoucher, PercentVoucher, VoucherError

__all__ = ["Cart", "Item", "FixedVoucher", "PercentVoucher", "VoucherError"]
