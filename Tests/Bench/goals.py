"""The goals, each a figure of one run against a limit."""

import statistics

from measure import quartiles


def ratios(outcome, path, of, to, figure="cpu_us", to_path=None):
    """The quotients of two figures that were measured in the same round."""
    results = outcome["results"]
    return [a[figure] / b[figure] for a, b in zip(results[path][of], results[to_path or path][to])]


def median_ratio(*arguments, **more):
    return statistics.median(ratios(*arguments, **more))


def turn_ratios(outcome):
    """The p99 of each turn at a fixed rate, ours by that of nginx's turn next to it. Nothing was asked where
    the load itself did not run for a whole turn."""
    results = outcome["results"]["paced"]
    return [mine / other for ours, nginx in zip(results["ours"], results["nginx"])
            for mine, other in zip(ours["turn_p99_us"], nginx["turn_p99_us"]) if mine and other]


def noise(outcome):
    """How far two equal measurements are apart: by the median of all rounds, and what chance does to that."""
    values = ratios(outcome, beside("again"), "ours", "plain")
    return abs(statistics.median(values) - 1) + uncertainty(values)


def of_two_cores(outcome):
    """What two loops make of two cores, one core being 1, as a ratio to what two processes that check nothing and share
    nothing make of them: what these do not reach is the machine's own limit. Both have taken turns, on one core and on
    two: so the two quotients are of one and the same machine."""
    return [on_two / on_one for on_one, on_two in zip(ratios(outcome, "one core", "ours", "floor", "per_second"),
                                                      ratios(outcome, "two cores", "ours", "floor", "per_second"))]


def uncertainty(values):
    """How far off a median may be, by chance alone, once in twenty times (the notches of McGill, Tukey and Larsen)."""
    low, _, high = quartiles(values)
    return 1.57 * (high - low) / len(values) ** 0.5


def beside(key):
    """Where the measurements of a path are that have one of a plain request beside each."""
    return f"{key} beside a 200"


def judge(outcome):
    found = []

    def goal(title, value, limit, *, at_least=False, unit=""):
        is_met = value >= limit if at_least else value <= limit
        found.append({"title": title, "value": value, "limit": limit, "at_least": at_least, "unit": unit,
                      "is_met": is_met})

    goal("header decides: CPU ÷ nginx's", median_ratio(outcome, "header", "ours", "nginx"), 0.75)
    goal("header decides: CPU ÷ the floor's", median_ratio(outcome, "header", "ours", "floor"), 1.15)
    goal("looked up: CPU ÷ nginx's", median_ratio(outcome, "lookup", "ours", "nginx"), 0.75)
    goal("the lookup by itself", outcome["lookup_ns"] / 1000, 0.5, unit=" µs")
    goal("a connection per request: CPU ÷ nginx's", median_ratio(outcome, "close", "ours", "nginx"), 0.75)
    # Nothing finer can be told. A run in which this is much is too noisy for any verdict.
    equal = max(0.01, noise(outcome))
    for path, title in (("304", "304"), ("head", "HEAD"), ("options", "OPTIONS"), ("error", "404")):
        goal(f"{title}: CPU ÷ a 200's", median_ratio(outcome, beside(path), "ours", "plain"), 1 + equal)
    goal("access log and metrics on: CPU ÷ off",
         median_ratio(outcome, beside("logging"), "ours", "plain"), 1.05)
    two = median_ratio(outcome, "two cores", "ours", "ours", "per_second", to_path="one core")
    if two >= 1.8:
        goal("two loops on two cores: answers ÷ one loop's on one", two, 1.8, at_least=True)
    else:
        beside_floor = of_two_cores(outcome)
        goal("two loops on two cores, ÷ what two processes of the floor make of them",
             statistics.median(beside_floor), 1 - max(equal, uncertainty(beside_floor)), at_least=True)
    goal("p99 at 70 % of nginx's capacity ÷ nginx's", statistics.median(turn_ratios(outcome)), 1)
    goal("memory of an idle connection", outcome["memory"]["ours"]["per_idle_connection"] / 1000, 0.2, unit=" kB")
    goal("p99 while reloading ÷ before", outcome["reload"]["p99_ratio"], 2)
    return found
