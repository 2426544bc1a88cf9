"""The outcome as a table for a terminal or a README, and as a page with plots."""

import html
import statistics

import goals
import paths
from measure import PACED_TURN_MS, quartiles

SERVERS = ("ours", "nginx", "haproxy", "floor")
NAMES = {"ours": "Region Bucket", "nginx": "nginx", "haproxy": "HAProxy", "floor": "C floor"}


def median(outcome, path, server, figure):
    return statistics.median(result[figure] for result in outcome["results"][path][server])


def ratio_text(values):
    low, middle, high = quartiles(values)
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


def rows(outcome):
    """One row for each path that all servers were asked for."""
    for path in paths.PATHS:
        yield [
            path.title,
            f"{median(outcome, path.key, 'ours', 'cpu_us'):.2f}",
            ratio_text(goals.ratios(outcome, path.key, "ours", "nginx")),
            ratio_text(goals.ratios(outcome, path.key, "ours", "floor")),
            ratio_text(goals.ratios(outcome, path.key, "haproxy", "nginx")),
            f"{median(outcome, path.key, 'ours', 'per_second') / 1000:.0f}",
            f"{median(outcome, path.key, 'nginx', 'per_second') / 1000:.0f}",
            percentiles(outcome, path.key, "ours"),
            percentiles(outcome, path.key, "nginx"),
        ]


def percentiles(outcome, path, server):
    return " / ".join(f"{median(outcome, path, server, figure):.0f}" for figure in ("p50_us", "p99_us", "p999_us"))


TITLES = ["path", "CPU µs a request", "÷ nginx (quartiles)", "÷ C floor (the same)", "HAProxy ÷ nginx",
          "1,000 a second", "nginx's", "p50 / p99 / p99.9 µs", "nginx's"]


def markdown(titles, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [titles, ["---"] * len(titles), *lines])


def kernel_part(outcome, server):
    """The CPU time of a request whose header decides, by where it goes."""
    results = outcome["results"]["header"][server]
    user, kernel = (sum(result["user_and_kernel_ticks"][place] for result in results) for place in (0, 1))
    whole = median(outcome, "header", server, "cpu_us")
    share = kernel / max(user + kernel, 1)
    return f"{whole * (1 - share):.1f} µs the program's own + {whole * share:.1f} in the kernel"


def paced(outcome, server):
    """The p99 at a fixed rate: of a turn, and of a whole round, with each moment in which the machine stood still."""
    of_turns = [p99 for result in outcome["results"]["paced"][server] for p99 in result["turn_p99_us"] if p99]
    return f"{statistics.median(of_turns):.0f}; {median(outcome, 'paced', server, 'p99_us'):.0f} µs"


def facts(outcome):
    memory, start, reload = outcome["memory"], outcome["start_milliseconds"], outcome["reload"]
    check = start["ours"] - start["ours without database"]
    mb = 1e6
    return [
        ["CPU of a request, header decides", *(kernel_part(outcome, name) for name in ("ours", "nginx"))],
        ["the same of the C floor", kernel_part(outcome, "floor"), ""],
        ["resident memory, at start",
         f"{memory['ours']['resident'] / mb:.1f} MB, of which {memory['ours']['own'] / mb:.1f} its own",
         f"{memory['nginx']['resident'] / mb:.1f} MB, of which {memory['nginx']['own'] / mb:.1f} its own"],
        ["memory of an idle connection", *(f"{memory[name]['per_idle_connection'] / 1000:.2f} kB"
                                           for name in ("ours", "nginx"))],
        ["start to first answer", f"{start['ours']:.0f} ms, of which {check:.0f} read and check the database",
         f"{start['nginx']:.0f} ms"],
        [f"p99 at 70 % of nginx's capacity: of {PACED_TURN_MS} ms; of a whole round",
         *(paced(outcome, name) for name in ("ours", "nginx"))],
        [f"p99 before, during, after a reload of {reload['milliseconds']:.0f} ms at full load",
         " / ".join(f"{reload[key]:.0f}" for key in ("p99_us_before", "p99_us_during", "p99_us_after")) + " µs", ""],
        ["a lookup in the database", f"{outcome['lookup_ns'] / 1000:.2f} µs", ""],
        ["the program, stripped", f"{outcome['stripped_bytes'] / mb:.1f} MB", ""],
    ]


def goal_rows(outcome):
    for goal in outcome["goals"]:
        sign = "≥" if goal["at_least"] else "≤"
        verdict = "met" if goal["is_met"] else "MISSED"
        yield [goal["title"], f"{goal['value']:.3f}{goal['unit']}", f"{sign} {goal['limit']:.3f}{goal['unit']}",
               "unsure" if outcome["is_noisy"] else verdict]


def conditions(outcome):
    noise = outcome["noise"]
    low, high = noise["repeat_quartiles"]
    fast, slow = noise["floor_us_quartiles"]
    return (f"{outcome['date']}, {outcome['machine']}; {outcome['rounds']} rounds of {outcome['seconds_each']} s each; "
            f"two equal measurements differed by {low:.3f}–{high:.3f} (quartiles), a request of the floor took "
            f"{fast:.1f}–{slow:.1f} µs (quartiles), the service had nothing to do for {noise['idle_share']:.0%} of the "
            f"time, {noise['disturbed_share']:.0%} of the measurements were disturbed.")


def table(outcome):
    return "\n\n".join([
        conditions(outcome), markdown(TITLES, rows(outcome)),
        markdown(["", NAMES["ours"], NAMES["nginx"]], facts(outcome)),
        markdown(["goal", "figure", "limit", ""], goal_rows(outcome))])


def html_table(titles, lines):
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><tr>{head}</tr>{body}</table>"


def strip_plot(outcome):
    """Each round's ratio to nginx as a point, a row for each path and server."""
    lines, y = [], 30
    width, left, most = 900, 330, 2.0

    def x(value):
        return left + (width - left - 20) * min(value, most) / most

    for path in paths.PATHS:
        for server in ("ours", "floor", "haproxy"):
            values = goals.ratios(outcome, path.key, server, "nginx")
            lines.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{html.escape(path.title)}: '
                         f'{NAMES[server]}</text>')
            lines += [f'<circle cx="{x(value):.1f}" cy="{y}" r="4" class="{server}"/>' for value in values]
            y += 18
        y += 10
    grid = "".join(
        f'<line x1="{x(v)}" x2="{x(v)}" y1="15" y2="{y}"/><text x="{x(v)}" y="12" text-anchor="middle">{v}</text>'
        for v in (0, 0.25, 0.5, 0.75, 1, 1.5, 2))
    return f'<svg viewBox="0 0 {width} {y + 10}" role="img">{grid}{"".join(lines)}</svg>'


def reload_plot(outcome):
    """The p99 of each window of the reload's run."""
    windows = outcome["reload"]["windows"]
    most = max(windows) or 1
    points = " ".join(f"{30 + 850 * i / len(windows):.1f},{180 - 160 * value / most:.1f}"
                      for i, value in enumerate(windows))
    return (f'<svg viewBox="0 0 900 200" role="img"><line x1="30" x2="880" y1="180" y2="180"/>'
            f'<text x="30" y="14">{most:.0f} µs</text><polyline points="{points}"/></svg>')


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; font-size: 13px } th, td { padding: 3px 8px; border-bottom: 1px solid #8884;
text-align: left } svg { width: 100% } svg text { font-size: 12px; fill: currentColor } line { stroke: #8886 }
polyline { fill: none; stroke: #2a6fdb } .ours { fill: #2a6fdb } .floor { fill: #999 } .haproxy { fill: #d9822b }
:root { color-scheme: light dark }
"""


def page(outcome):
    """One file, with nothing to fetch."""
    return "\n".join([
        "<!doctype html><html lang=en><meta charset=utf-8><title>Region Bucket: bench</title>",
        f"<style>{STYLE}</style><h1>Region Bucket beside nginx</h1><p>{html.escape(conditions(outcome))}</p>",
        html_table(TITLES, rows(outcome)),
        "<h2>CPU time a request, as a ratio to nginx in the same round</h2>", strip_plot(outcome),
        html_table(["", NAMES["ours"], NAMES["nginx"]], facts(outcome)),
        "<h2>p99 in windows of 50 ms; the database is read again and again</h2>", reload_plot(outcome),
        "<h2>Goals</h2>", html_table(["goal", "figure", "limit", ""], goal_rows(outcome)), "</html>", ""])
