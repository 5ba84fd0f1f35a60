"""Asserts in a test of pytest or unittest that a function is not slower than another. Python 3.8 or later, standard library only.

    from deadheat_assert import assert_not_slower

    def test_parse():
        assert_not_slower(lambda: parse(text), lambda: old_parse(text), by="5%")

Both functions run in this process, in blocks of a drawn order and its reverse, as the assertions of @deadheat/harness do.
SPDX-License-Identifier: Apache-2.0
"""

import math
import random
import re
import statistics
import time

# Intended duration of a slot: long against the clock's resolution, short against a time slice of the scheduler.
_SLOT_NS = 1_000_000
# Share of the budget, and rounds at least, before anything counts.
_WARMUP_SHARE, _WARMUP_ROUNDS = 0.2, 2
# The first calls and a clock's resolution say little: slots grow at most so many times from round to round.
_LARGEST_STEP = 16
# Interim analyses, as shares of the budget. Each of them has its part of the error of 2.5 % to each side (Bonferroni).
_LOOKS = (0.4, 0.6, 0.8, 1.0)
_ERROR = 0.025 / len(_LOOKS)
# Above this number of blocks the distribution of the signed-rank statistic is taken as normal.
_EXACT = 50
# More blocks than these are merged before the interval is computed.
_MOST_MERGED = 400
# A function whose CPU time is less than this share of the wall time even in its best tenth of slots waits for something.
_WORKING_SHARE = 0.9


def assert_not_slower(f, g, by="5%", budget=2.0):
    """Passes only if a slowdown of ``f`` against ``g`` by more than ``by`` (a share, or a text such as "5%") is excluded.

    ``budget``: seconds at most. Returns the sentence with the ratio and its interval.
    Raises AssertionError if ``f`` is slower, or if the budget leaves it undecided.
    """
    share = _share_of(by)
    if not budget > 0:
        raise ValueError(f"budget must be a time above 0 s, got {budget!r}")
    blocks = _Blocks((f, g), budget)
    for look in _LOOKS:
        blocks.measure(until=look)
        low, estimate, high, how = blocks.ratio()
        sentence = f"{_percent(estimate)} [{_percent(low)}, {_percent(high)}] (95 % interval, {how} in one process)"
        if high < 1 + share:
            return sentence
        if low > 1 + share:
            break
    words = f"Expected not to be slower by more than {share * 100:.12g} %"
    if low > 1 + share:
        raise AssertionError(f"{words}, but was: {sentence}")
    raise AssertionError(f"{words}, which is not certain: {sentence}, after {budget:g} s; give it more time with budget=")


class _Blocks:
    """Times of two functions in blocks of a drawn order and its reverse."""

    def __init__(self, functions, budget):
        self._functions, self._budget_ns = functions, budget * 1e9
        self._start = time.perf_counter_ns()
        self._slots = ([], [])
        self._calls = [1, 1]
        # By the fastest slots: in another a preemption would leave one of two equal functions fewer calls,
        # and so more of what a slot costs.
        fastest = [math.inf, math.inf]
        rounds = 0
        while rounds < _WARMUP_ROUNDS or self._used() < _WARMUP_SHARE:
            for index, (wall, _) in self._block():
                fastest[index] = min(fastest[index], max(wall, 1 / self._calls[index]))
            self._calls = [
                min(_LARGEST_STEP * calls, math.ceil(_SLOT_NS / wall)) for calls, wall in zip(self._calls, fastest)
            ]
            rounds += 1

    def measure(self, until):
        """Measures until a share of the budget is used."""
        while self._used() < until:
            for index, times in self._block():
                self._slots[index].append(times)

    def ratio(self):
        """Interval and estimate of the ratio of times by the signed-rank test, and how it was measured."""
        works = all(self._slots) and all(_works(slots) for slots in self._slots)
        clock = 1 if works else 0
        one, other = ([math.log(max(times[clock], 1e-9)) for times in slots] for slots in self._slots)
        ratios = [a - b for a, b in zip(one, other)]
        logs = [(ratios[k] + ratios[k + 1]) / 2 for k in range(0, len(ratios), 2)]
        low, estimate, high = _signed_rank_interval(_merged(logs))
        return math.exp(low), math.exp(estimate), math.exp(high), f"{'CPU' if works else 'wall'} time, {len(logs)} blocks"

    def _used(self):
        return (time.perf_counter_ns() - self._start) / self._budget_ns

    def _block(self):
        order = random.sample((0, 1), 2)
        return [(index, self._slot(index)) for index in order + order[::-1]]

    def _slot(self, index):
        """Wall and CPU time of a call, ns."""
        function, calls = self._functions[index], range(self._calls[index])
        cpu, wall = time.process_time_ns(), time.perf_counter_ns()
        for _ in calls:
            function()
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        return wall / len(calls), cpu / len(calls)


def _merged(logs):
    """Means of as many neighbours as leave few enough: the averages of all pairs are listed."""
    size = math.ceil(len(logs) / _MOST_MERGED)
    return [statistics.fmean(logs[k : k + size]) for k in range(0, len(logs), size)] if logs else logs


def _works(slots):
    shares = sorted(cpu / wall for wall, cpu in slots if wall > 0)
    return min(cpu for _, cpu in slots) > 0 and shares[int(0.9 * (len(shares) - 1))] >= _WORKING_SHARE


def _signed_rank_interval(values):
    """Low end, estimate and high end: order statistics of the averages of all pairs (Hodges and Lehmann)."""
    count = len(values)
    if count == 0:
        return -math.inf, math.nan, math.inf
    averages = sorted((values[i] + values[j]) / 2 for i in range(count) for j in range(i + 1))
    below = _rank_quantile(count)
    estimate = statistics.median(averages)
    if below == 0:
        return -math.inf, estimate, math.inf
    return averages[below - 1], estimate, averages[-below]


def _rank_quantile(count):
    """The largest k with P(W < k) <= the error of one side, W = the signed-rank statistic; 0 = none."""
    if count > _EXACT:
        spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
        return int(count * (count + 1) / 4 + statistics.NormalDist().inv_cdf(_ERROR) * spread)
    ways = [1]
    for rank in range(1, count + 1):
        longer = ways + [0] * rank
        for k, number in enumerate(ways):
            longer[k + rank] += number
        ways = longer
    limit, total = _ERROR * 2**count, 0
    for k, number in enumerate(ways):
        total += number
        if total > limit:
            return k
    return 0


def _share_of(by):
    if isinstance(by, str) and re.fullmatch(r"\d+(\.\d+)?%", by):
        by = float(by[:-1]) / 100
    if isinstance(by, (int, float)) and 0 <= by < 1:
        return by
    raise ValueError(f"by must be a share in [0, 1) or a text such as '5%', got {by!r}")


def _percent(ratio):
    if math.isnan(ratio) or math.isinf(ratio):
        return "?" if math.isnan(ratio) else "+inf"
    return f"{(ratio - 1) * 100:+.1f} %"
