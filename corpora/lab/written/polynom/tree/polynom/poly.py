from fractions import Fraction


class Poly:
    """An immutable polynomial.

    ``Poly([1, 0, 2])`` is 1 + 2x^2: the coefficient of x^i stands at index i.
    """

    __slots__ = ("coeffs",)

    def __init__(self, coeffs=()):
        self.coeffs = self._trim([Fraction(c) for c in coeffs])

    @staticmethod
    def _trim(coeffs):
        """Without the zeros at the high end; the zero polynomial has no coefficients at all."""
        if coeffs and coeffs[-1] == 0:
            coeffs = coeffs[:-1]
        return tuple(coeffs)

    @classmethod
    def monomial(cls, coefficient, degree):
        return cls([0] * degree + [coefficient])

    @property
    def degree(self):
        """-1 for the zero polynomial."""
        return len(self.coeffs) - 1

    @property
    def lead(self):
        return self.coeffs[-1] if self.coeffs else Fraction(0)

    def __bool__(self):
        return bool(self.coeffs)

    def __eq__(self, other):
        if not isinstance(other, Poly):
            return NotImplemented
        return self.coeffs == other.coeffs

    def __hash__(self):
        return hash(self.coeffs)

    def __getitem__(self, power):
        return self.coeffs[power] if power < len(self.coeffs) else Fraction(0)

    def __call__(self, x):
        result = Fraction(0)
        for c in reversed(self.coeffs):
            result = result * x + c
        return result

    def __add__(self, other):
        size = max(len(self.coeffs), len(other.coeffs))
        return Poly([self[i] + other[i] for i in range(size)])

    def __neg__(self):
        return Poly([-c for c in self.coeffs])

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        if not self or not other:
            return Poly()
        out = [Fraction(0)] * (self.degree + other.degree + 1)
        for i, a in enumerate(self.coeffs):
            for j, b in enumerate(other.coeffs):
                out[i + j] += a * b
        return Poly(out)

    def __divmod__(self, other):
        """Quotient and rest; the rest has a smaller degree than the divisor."""
        if not other:
            raise ZeroDivisionError("division by the zero polynomial")
        quotient, rest = Poly(), self
        while rest.degree >= other.degree:
            part = Poly.monomial(rest.lead / other.lead, rest.degree - other.degree)
            quotient += part
            rest -= part * other
        return quotient, rest

    def derivative(self):
        return Poly([i * c for i, c in enumerate(self.coeffs)][1:])

    def __str__(self):
        parts = []
        for power in range(self.degree, -1, -1):
            c = self.coeffs[power]
            if c == 0:
                continue
            sign = "-" if c < 0 else "+"
            size = abs(c)
            body = "" if size == 1 and power else str(size)
            variable = "" if power == 0 else "x" if power == 1 else f"x^{power}"
            parts.append(f"{sign} {body}{variable}")
        if not parts:
            return "0"
        text = " ".join(parts)
        return text[2:] if text.startswith("+") else "-" + text[2:]

    def __repr__(self):
        return f"Poly({[str(c) for c in self.coeffs]})"


def gcd(a, b):
    """The greatest common divisor with leading coefficient 1."""
    while b:
        a, b = b, divmod(a, b)[1]
    if not a:
        return a
    return Poly([c / a.lead for c in a.coeffs])
