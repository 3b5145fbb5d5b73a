from dataclasses import dataclass, field


@dataclass
class Shelf:
    code: str
    capacity: int
    stock: dict[str, int] = field(default_factory=dict)

    @property
    def used(self) -> int:
        return sum(self.stock.values())

    @property
    def free(self) -> int:
        return self.capacity - self.used

    def put(self, item: str, count: int) -> None:
        if count > self.free:
            raise ValueError(f"shelf {self.code} is full")
        self.stock[item] = self.stock.get(item, 0) + count

    def take(self, item: str, count: int) -> None:
        have = self.stock.get(item, 0)
        if count > have:
            raise ValueError(f"shelf {self.code} has only {have} of {item}")
        if count == have:
            self.stock.pop(item, None)
        else:
            self.stock[item] = have - count
