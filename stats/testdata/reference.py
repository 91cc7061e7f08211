"""Writes the reference values that the tests of package stats compare with.

Rerun, from this directory, in any virtual environment:

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scipy
    /tmp/venv/bin/python reference.py

Each file records the versions of SciPy and NumPy that made it. The samples come
from a fixed seed and are written into the files, so a rerun changes them only if
the libraries' answers change.
"""

import itertools
import json
import math

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(1945)


def save(name, cases):
    head = {"scipy": scipy.__version__, "numpy": np.__version__, "script": "reference.py"}
    with open(name + ".json", "w") as f:
        f.write(json.dumps(head)[:-1] + ', "cases": [\n')
        f.write(",\n".join(json.dumps(c) for c in cases))
        f.write("\n]}\n")


def values(a):
    return [float(v) for v in a]


def samples():
    """Samples of all the kinds that make signed ranks hard."""
    # Hollander & Wolfe 1999, table 3.1: depression scores before and after.
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    yield "hollander-wolfe", [round(a - b, 3) for a, b in zip(after, before)]
    for n in (1, 2, 3, 5, 6, 8, 12, 20, 33, 50):
        yield f"normal-{n}", values(rng.normal(0.4, 1, n))
    for n in (51, 60, 100, 400):
        yield f"normal-{n}", values(rng.normal(0.15, 1, n))
    yield "laplace-30", values(rng.laplace(0.3, 1, 30))
    yield "lognormal-ratio-40", values(rng.normal(0, 0.3, 40) - rng.normal(0.05, 0.3, 40))
    for n in (4, 7, 10, 12, 60, 200):
        yield f"ties-{n}", [float(v) if v else 1.0 for v in rng.integers(-3, 6, n)]
    for n in (4, 7, 10, 12, 60, 200):
        yield f"ties-zeros-{n}", values(rng.integers(-2, 4, n))
    yield "zeros-normal-9", [0.0, 0.0] + values(rng.normal(0.5, 1, 7))
    yield "zeros-normal-80", [0.0] * 12 + values(rng.normal(0.2, 1, 68))
    yield "one-sided-6", [0.1, 0.22, 0.37, 0.41, 0.58, 0.6]
    yield "huge-tiny-12", [1e-9, -2e-9, 3e9, 4e-9, 5e9, 6e0, -7e3, 8e-3, 9e5, 1e6, 1.1e7, 1.2e8]


def hodges_lehmann(name, d, conf):
    """Inverts scipy.stats.wilcoxon: between two neighbouring Walsh averages the
    shifted sample has neither ties nor zeros, so a p-value can be had for each gap;
    the interval is made of the gaps that are not rejected. Samples whose Walsh averages
    are tied (equally spaced values, say) have no such gaps: leave them out."""
    n = len(d)
    walsh = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(d, 2))
    method = "exact" if n <= 50 else "asymptotic"

    def p(theta):
        return float(stats.wilcoxon(np.array(d) - theta, method=method, correction=True).pvalue)

    def gap(i):  # a point in the gap below walsh[i]
        return walsh[0] - 1 if i == 0 else (walsh[i - 1] + walsh[i]) / 2

    # p rises with the gap's number up to the middle: find the first not rejected.
    lo, hi = 0, len(walsh) // 2
    while lo < hi:
        mid = (lo + hi) // 2
        if p(gap(mid)) > 1 - conf:
            hi = mid
        else:
            lo = mid + 1
    case = {"name": name, "d": d, "conf": conf, "value": float(np.median(walsh))}
    if lo == 0:
        return case | {"bounded": False, "low": 0, "high": 0, "achieved": 1}
    return case | {"bounded": True, "low": walsh[lo - 1], "high": walsh[len(walsh) - lo], "achieved": 1 - p(gap(lo - 1))}


def summary(name, x):
    ps = [0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1]
    positive = [abs(v) + 0.1 for v in x]
    return {"name": name, "x": x, "p": ps, "quantiles": values(np.quantile(x, ps, method="linear")),
            "positive": positive, "gmean": float(stats.gmean(positive))}


all_samples = list(samples())
save("hodgeslehmann", [hodges_lehmann(n, d, conf) for n, d in all_samples
                       if (n.startswith(("normal", "hollander", "laplace", "lognormal", "one-sided")) and len(d) <= 100)
                       for conf in (0.8, 0.95, 0.99)])
save("quantile", [summary(n, d) for n, d in all_samples if len(d) <= 100])
# The normal distribution, far into its tail.
zs = [-35, -20, -8, -3, -1.959963984540054, -1, -0.1, 0, 0.5, 2, 6]
save("normal", [{"z": z, "cdf": float(stats.norm.cdf(z))} for z in zs])
