"""Writes statistics.json: p-values by counting every sign, and Gaffke's bounds by another program than ours.

python3 generate.py > statistics.json    (its own modules suffice; a minute)
"""
import json
import math
import random
from fractions import Fraction
from itertools import product

draw = random.Random(20261123)


def sign_flip(differences):
    """Two-sided, over all signs, in fractions: nothing is rounded."""
    exact = [Fraction(one).limit_denominator(10**6) for one in differences]
    observed = abs(sum(exact))
    far = sum(abs(sum(s * d for s, d in zip(signs, exact))) >= observed for signs in product([1, -1], repeat=len(exact)))
    return far / 2 ** len(exact)


def binomial_test(worse, better):
    n, k = worse + better, min(worse, better)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def clopper_pearson(right, count):
    """By bisection of the binomial tails."""

    def tail(p, ks):
        return sum(math.comb(count, k) * p**k * (1 - p) ** (count - k) for k in ks)

    def solve(too_low):
        low, high = 0.0, 1.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if too_low(middle) else (low, middle)
        return low

    low = 0.0 if right == 0 else solve(lambda p: tail(p, range(right, count + 1)) < 0.025)
    high = 1.0 if right == count else solve(lambda p: tail(p, range(right + 1)) > 0.025)
    return low, high


def gaffke(values, draws=400_000):
    """Gaps between sorted uniform draws are the weights."""
    lows, highs = [], []
    values = sorted(values)
    for _ in range(draws):
        cuts = [0.0, *sorted(draw.random() for _ in values), 1.0]
        gaps = [b - a for a, b in zip(cuts, cuts[1:])]
        lows.append(sum(g * v for g, v in zip(gaps[1:], values)))
        highs.append(gaps[0] + sum(g * v for g, v in zip(gaps[1:], values)))
    return sorted(lows)[round(0.025 * draws)], sorted(highs)[round(0.975 * draws)]


flips = [[-0.25] * 16, [0.5, 0.25, -0.25, 0.5, 0, 0, 0.75, 0.25, -0.5, 0.5, 0.25, 0], [1 / 3, -2 / 3, 1, 1 / 3, 1 / 3]]
flips += [[0.5], [0.5, -0.5], [1] * 5, [0] * 4, [1, 2, 3, -1, 5, 3], [0.2, 0.1, -0.3, 0.6]]
flips += [[round(draw.uniform(-0.6, 1), 4) for _ in range(n)] for n in (6, 9, 12, 14)]
flips += [[draw.choice([-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1]) for _ in range(n)] for n in (8, 13, 15)]
tests = [(0, 0), (5, 0), (1, 9), (12, 2), (300, 250)]
shares = [[0.5] * 8, [0, 0.25, 0.25, 0.5, 0.5, 0.75, 1, 1, 1, 1, 0.5, 0.75], [1, 1, 1, 1, 1, 1, 1, 0.5], [0.1, 0, 0, 0.3, 0.9]]
golden = {
    "signFlip": [{"differences": one, "pValue": sign_flip(one)} for one in flips],
    "binomial": [{"worse": w, "better": b, "pValue": binomial_test(w, b)} for w, b in tests],
    "clopperPearson": [{"right": r, "count": n, "bounds": clopper_pearson(r, n)} for r, n in [(0, 16), (16, 16), (3, 8), (30, 64)]],
    "gaffke": [{"values": one, "bounds": gaffke(one)} for one in shares],
}
parts = [f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in golden.items()]
print("{\n" + ",\n".join(parts) + "\n}")
