from shelf import Shelf


class OutOfStock(Exception):
    pass


class NoSpace(Exception):
    pass


class Warehouse:
    def __init__(self, shelves: list[Shelf]):
        self.shelves = shelves

    def shelf(self, code: str) -> Shelf:
        for shelf in self.shelves:
            if shelf.code == code:
                return shelf
        raise KeyError(code)

    def count(self, item: str) -> int:
        return sum(shelf.stock.get(item, 0) for shelf in self.shelves)

    def store(self, item: str, count: int) -> list[tuple[str, int]]:
        """Put items on the shelves in order. Nothing is stored without room for all."""
        if count > sum(shelf.free for shelf in self.shelves):
            raise NoSpace(item)
        steps = []
        for shelf in self.shelves:
            part = min(count, shelf.free)
            if part > 0:
                shelf.put(item, part)
                steps.append((shelf.code, part))
                count -= part
        return steps

    def pick(self, order: dict[str, int]) -> list[tuple[str, str, int]]:
        """Take an order from the shelves; returns steps (shelf, item, count).

        For each item the shelves are emptied in their order. When any item of
        the order is short, OutOfStock is raised with its name (the first one)
        and nothing is taken at all.
        """
        for item, wanted in order.items():
            if self.count(item) < wanted:
                raise OutOfStock(item)
        steps = []
        for item, wanted in order.items():
            for shelf in self.shelves:
                part = min(wanted, shelf.stock.get(item, 0))
                if part > 0:
                    shelf.take(item, part)
                    steps.append((shelf.code, item, part))
                    wanted -= part
        return steps

    def tidy(self) -> None:
        """Move everything as far to the front as it goes."""
        everything = [(item, n) for shelf in self.shelves for item, n in shelf.stock.items()]
        for shelf in self.shelves:
            shelf.stock.clear()
        for item, n in everything:
            self.store(item, n)
