"""Writes more reference values that the tests of package stats compare with: Student's t,
exact rank tests with ties (SciPy), and change points (MongoDB's implementation of
E-divisive, Daly et al. 2020, and the energy distance written out).

Rerun, from this directory, in any virtual environment:

    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install scipy structlog more-itertools
    /tmp/venv/bin/pip install --no-deps signal-processing-algorithms
    /tmp/venv/bin/python reference_more.py

The samples come from fixed seeds and are written into the files.
"""

import json

import numpy as np
import scipy
from scipy import stats
from signal_processing_algorithms.energy_statistics import energy_statistics as mongo

rng = np.random.default_rng(1978)


def save(name, cases):
    head = {"scipy": scipy.__version__, "numpy": np.__version__, "mongo": "signal-processing-algorithms 2.1.6",
            "script": "reference_more.py"}
    with open(name + ".json", "w") as f:
        f.write(json.dumps(head)[:-1] + ', "cases": [\n')
        f.write(",\n".join(json.dumps(c) for c in cases))
        f.write("\n]}\n")


def values(a):
    return [float(v) for v in a]


save("student", [{"t": t, "df": df, "cdf": float(stats.t.cdf(t, df))} for df in (1, 2, 3, 4, 5, 9, 24, 101, 1000)
                 for t in (-1e6, -300, -12.7, -5, -2.5, -1.96, -1, -0.3, -1e-6, 0, 0.5, 2, 8)])


def ties(na, nb):
    a, b = values(rng.integers(0, 6, na)), values(rng.integers(1, 8, nb))
    r = stats.mannwhitneyu(b, a, method=stats.PermutationMethod(n_resamples=np.inf))
    return {"a": a, "b": b, "u": float(r.statistic), "p": float(r.pvalue)}


save("mannwhitney_ties", [ties(*n) for n in ((2, 3), (4, 4), (5, 7), (8, 6), (9, 9))])


def energy(x, min_size):
    """The largest energy distance over all divisions and ends, written out (Matteson &
    James 2014, equations 5 to 7)."""
    d = np.abs(np.subtract.outer(x, x))
    best = (-np.inf, -1)
    for tau in range(min_size, len(x) - min_size + 1):
        for kappa in range(tau + min_size, len(x) + 1):
            n, m = tau, kappa - tau
            e = (2 * d[:tau, tau:kappa].mean() - d[:tau, :tau].sum() / (n * (n - 1))
                 - d[tau:kappa, tau:kappa].sum() / (m * (m - 1)))
            best = max(best, (n * m / (n + m) * e, tau))
    return {"energy": float(best[0]), "tau": best[1]}


# Annual flow of the Nile at Aswan, 1871-1970, 10^8 m^3 (Cobb 1978, Biometrika 65, table 1):
# the flow falls after 1898.
nile = [1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140,
        1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969,
        831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865,
        845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050,
        918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740]
# British coal mining disasters with ten deaths or more by year, 1851-1962 (Jarrett 1979,
# Biometrika 66): fewer from about 1890 on (Carlin, Gelfand & Smith 1992 put it at 1891).
coal = [4, 5, 4, 1, 0, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5, 3, 4, 2, 5, 2, 2, 3, 4, 2,
        1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1, 0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0,
        0, 0, 1, 1, 0, 2, 3, 3, 1, 1, 2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0]
steps = np.concatenate([rng.normal(m, 1, n) for m, n in ((100, 30), (104, 25), (100, 30), (96, 20))])


def change(name, x):
    x = np.asarray(x, dtype=float)
    np.random.seed(7)
    return {"name": name, "x": values(x), "mongo": [int(i) for i in sorted(mongo.e_divisive(x, 0.05, 199))],
            "best": [energy(x, m) | {"min": m} for m in (2, 5, 10)]}


save("changepoint", [change("Nile", nile), change("coal", coal), change("steps", steps)])
