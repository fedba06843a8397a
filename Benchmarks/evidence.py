"""Do two samples of durations differ? Statistics in plain Python, and the rule by which a difference counts."""

import dataclasses
import math
import random

from house import percentile

RESAMPLES = 1000


@dataclasses.dataclass
class Evidence:
    """One run of a case against what it is compared with; durations in milliseconds."""

    baseline: float
    gap: float
    low: float
    high: float
    z: float
    auc: float

    @property
    def differs(self):
        """All three together: a gap of low percentiles, significant ranks, and enough of it to use."""
        return not self.low <= 0 <= self.high and abs(self.z) > 3.3 and not 0.45 <= self.auc <= 0.55


def compare(baseline, case):
    """Low percentiles carry the signal (Crosby, Wallach, Riedi 2009): noise only ever adds time."""
    gap = percentile(case, 0.1) - percentile(baseline, 0.1)
    low, high = bootstrap(baseline, case)
    z, auc = mann_whitney(baseline, case)
    return Evidence(percentile(baseline, 0.5), gap, low, high, z, auc)


def bootstrap(baseline, case, chance=random.Random(1)):
    """The 95 % confidence interval of the gap between the 10th percentiles, by the percentile method."""
    gaps = [
        percentile(chance.choices(case, k=len(case)), 0.1) - percentile(chance.choices(baseline, k=len(baseline)), 0.1)
        for _ in range(RESAMPLES)
    ]
    return percentile(gaps, 0.025), percentile(gaps, 0.975)


def mann_whitney(baseline, case):
    """z (normal approximation, ties corrected), and the chance that one of `case` takes longer (AUC)."""
    everything = sorted([(value, 0) for value in baseline] + [(value, 1) for value in case])
    count, rank_sum, ties, start = len(everything), 0.0, 0, 0
    while start < count:
        end = start
        while end < count and everything[end][0] == everything[start][0]:
            end += 1
        rank = (start + 1 + end) / 2
        rank_sum += rank * sum(which for _, which in everything[start:end])
        ties += (end - start) ** 3 - (end - start)
        start = end
    pairs = len(baseline) * len(case)
    u = rank_sum - len(case) * (len(case) + 1) / 2
    deviation = math.sqrt(pairs / 12 * (count + 1 - ties / (count * (count - 1))))
    return (u - pairs / 2) / deviation if deviation else 0.0, u / pairs
