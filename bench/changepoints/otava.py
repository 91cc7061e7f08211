# The patterns of otava-test-data, and the change points of Apache Otava; JSON in and out.
import importlib.metadata, inspect, json, sys, zlib

EACH, LENGTHS, SIGMAS = 5, (50, 200), (2.0, 5.0, 10.0)


def variants(function):
    """Amounts of noise, where the pattern has a parameter for it."""
    return [{"sigma": s} for s in SIGMAS] if "sigma" in inspect.signature(function).parameters else [{}]


def patterns():
    from otava_test_data.generators import advanced, basic
    for module in basic, advanced:
        for pattern, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and "length" in inspect.signature(function).parameters:
                for noise in variants(function):
                    for length in LENGTHS:
                        for i in range(EACH):
                            yield series(pattern, function, length, noise, i)


def series(pattern, function, length, noise, i):
    """The i-th of a kind. Its name is its seed: no two have the same noise."""
    name = " ".join([pattern, str(length), *(f"sigma {s:g}" for s in noise.values()), str(i + 1)])
    made = function(length=length, seed=zlib.crc32(name.encode()), **noise)
    # An outlier is not a change, as in the accuracy that the package's own pages show.
    changes = [int(c.index) for c in made.change_points if c.change_type != "outlier"]
    return {"name": name, "pattern": pattern, "values": made.data.tolist(), "truths": [changes]}


def find(window, level, series):
    from otava.analysis import compute_change_points
    for values in series:
        points, _ = compute_change_points(values, window_len=window, max_pvalue=level)
        yield [int(p.index) for p in points]


if sys.argv[1] == "version":
    answer = importlib.metadata.version("apache-otava")
elif sys.argv[1] == "patterns":
    answer = list(patterns())
else:
    answer = list(find(**json.load(sys.stdin)))
json.dump(answer, sys.stdout)
