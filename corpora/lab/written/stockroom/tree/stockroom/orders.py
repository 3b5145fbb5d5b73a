from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    lines: list = field(default_factory=list)

    def line(self, sku, qty):
        if qty <= 0:
            raise ValueError("qty must be positive")
        self.lines.append((sku, qty))
        return self

    def pieces(self):
        return sum(qty for _, qty in self.lines)
