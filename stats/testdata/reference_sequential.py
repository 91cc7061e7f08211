"""Writes the reference values of the sequential sign-flip test.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scipy
    /tmp/venv/bin/python reference_sequential.py

The single-look p-values are SciPy's permutation_test and wilcoxon. Of the sequential
boundaries SciPy knows nothing: they are enumerated here over all 2^n patterns, in whole
numbers, path by path, with no thought of speed.
"""

import itertools
import json
import math

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(1983)


def scores(d):
    """Integer scores: the values themselves up to nine (they are integers), ranks beyond."""
    if len(d) <= 9:
        return [abs(v) for v in d]
    return [2 * float(r) for r in stats.rankdata([abs(v) for v in d])]


def enumerate_looks(d, looks):
    """The look that rejects the pattern seen, or -1, and p at the last look."""
    n = len(d)
    seen = tuple(1 if v >= 0 else -1 for v in d)
    alive = {p: True for p in itertools.product((1, -1), repeat=n)}
    total = 2**n
    spent = 0
    rejected_at = -1
    for k, (m, alpha) in enumerate(looks):
        x = scores(d[:m])
        size = {p: abs(sum(s * v for s, v in zip(p, x))) for p in alive}
        groups = {}
        for p in alive:
            if alive[p]:
                groups.setdefault(size[p], []).append(p)
        for s in sorted(groups, reverse=True):
            if spent + len(groups[s]) > math.floor(alpha * total + 1e-9):
                break
            spent += len(groups[s])
            for p in groups[s]:
                alive[p] = False
                if p == seen:
                    rejected_at = k
    p_last = sum(v >= size[seen] for v in size.values()) / total
    return rejected_at, p_last


cases = []
for n in (3, 6, 7, 8, 9, 10, 12):
    for shift in (0, 30, 60):
        d = [int(v) for v in rng.normal(shift, 40, n)]
        d = [v if v else 1 for v in d]
        stops = [m for m in (4, 6, 7, 8, 9, 10, 11, 12) if m < n] + [n]
        looks = [(m, 0.05 * math.log1p((math.e - 1) * m / n)) for m in stops]
        at, p = enumerate_looks(d, looks)
        if n <= 9:
            how = "permutation_test"
            single = stats.permutation_test((np.array(d, float),), lambda x, axis: np.abs(x.mean(axis)),
                                            permutation_type="samples", alternative="greater",
                                            n_resamples=np.inf, vectorized=True).pvalue
        else:
            how = "permutation_test of ranks"
            x = np.sign(d) * stats.rankdata(np.abs(d))
            single = stats.permutation_test((x,), lambda x, axis: np.abs(x.sum(axis)),
                                            permutation_type="samples", alternative="greater",
                                            n_resamples=np.inf, vectorized=True).pvalue
        assert abs(single - p) < 1e-12, (d, single, p)
        cases.append({"how": how, "d": d, "looks": [{"n": m, "spent": a} for m, a in looks],
                      "rejected_at": at, "p": float(single)})

head = {"scipy": scipy.__version__, "numpy": np.__version__, "script": "reference_sequential.py"}
with open("sequential.json", "w") as f:
    f.write(json.dumps(head)[:-1] + ', "cases": [\n')
    f.write(",\n".join(json.dumps(c) for c in cases))
    f.write("\n]}\n")
