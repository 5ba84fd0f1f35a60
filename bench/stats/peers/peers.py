"""The same work by scipy: prints {case: milliseconds}. Medians after one call to warm up."""
import json
import time

import numpy
import scipy
from scipy import stats

generator = numpy.random.default_rng(1)


def times(n, shift=0.0):
    return numpy.exp(4.6 + shift + 0.1 * generator.standard_normal(n))


def median(run, repeat):
    run()
    spent = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        spent.append(1000 * (time.perf_counter() - start))
    return sorted(spent)[repeat // 2]


x20, x10 = times(20), times(10)
a, b = times(1_000_000), times(1_000_000, 0.0002)
print(json.dumps({
    "name": f"scipy {scipy.__version__}",
    "bca": median(lambda: stats.bootstrap((x20,), numpy.mean, n_resamples=9999, method="BCa"), 5),
    "percentile": median(lambda: stats.bootstrap((x10,), numpy.mean, n_resamples=10000, method="percentile"), 5),
    "mann-whitney": median(lambda: stats.mannwhitneyu(a, b), 3),
}))
