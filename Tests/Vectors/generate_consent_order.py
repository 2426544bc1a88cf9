#!/usr/bin/env python3
"""Writes consent-order.json: every combination of what can meet an app at start, and what it must do.

Written from the rules in README.md, not from any client's code. `--check` compares with the file instead of
writing it. The hand-checked rows of consent-order-cases.json must agree, or nothing is written.
"""

import itertools
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
TARGET = HERE / "consent-order.json"

COLUMNS = {
    "prompt": ["refreshFailed", "introThenForm", "none", "formOnly"],
    "intro": ["accepted", "dismissed"],
    "sdkEnabled": [True, False],
    "tracking": ["undecidedThenAuthorized", "undecidedThenDenied", "restricted", "denied", "authorized"],
    "active": [True, False],
    "expanded": ["absent", "unused", "continued", "abandoned"],
    "identifierProvider": [True, False],
    "consent": ["adsBlocked", "nonPersonalised", "personalised"],
}


def form_flow(row):
    """What is shown before anything else, and whether the form flow really ran."""
    if row["prompt"] == "refreshFailed":
        return ["refreshConsent"], False
    if row["prompt"] == "introThenForm":
        if row["intro"] == "dismissed":
            return ["refreshConsent", "showIntro"], False
        return ["refreshConsent", "showIntro", "runForm"], True
    return ["refreshConsent", "runForm"], True


def tracking_flow(row):
    """What follows the first action of a tracking request, and the status in the end."""
    answer = "authorized" if row["tracking"] == "undecidedThenAuthorized" else "denied"
    if row["expanded"] == "continued":
        return ["showDetails", "requestTracking"], answer
    if row["expanded"] == "abandoned":
        return ["showDetails"], "notDetermined"
    return [], answer


def flagged(action, row, status):
    """A start of ads, with how its requests are marked."""
    return f"{action} {'nonPersonalised' if is_non_personalised(row, status) else 'personalised'}"


def is_non_personalised(row, status):
    """Both must agree: the person to tracking, and the consent to personalised ads."""
    return not (status == "authorized" and row["consent"] == "personalised")


def outcome(row):
    """The actions in their order, and how a request made at the end is marked."""
    actions, form_ran = form_flow(row)
    undecided = row["tracking"].startswith("undecided")
    status = "notDetermined" if undecided else row["tracking"]
    if row["consent"] == "adsBlocked":
        return actions, is_non_personalised(row, status)
    if not (form_ran and row["sdkEnabled"] and undecided):
        actions.append(flagged("startAds", row, status))
        if row["identifierProvider"]:
            actions.append(flagged("startIdentifierAds", row, status))
        return actions, is_non_personalised(row, status)
    start = flagged("startAds", row, status)
    actions += ["requestTracking", start] if row["active"] else ["awaitActive", start, "requestTracking"]
    rest, status = tracking_flow(row)
    actions += rest
    if row["identifierProvider"]:
        actions.append(flagged("startIdentifierAds", row, status))
    return actions, is_non_personalised(row, status)


def check_key_rows():
    """Rows that a person worked out, against the rules above."""
    cases = json.loads((HERE / "consent-order-cases.json").read_text())
    for key_row in cases["keyRows"]:
        actions, non_personalised = outcome(dict(zip(COLUMNS, key_row["row"], strict=True)))
        if actions != key_row["actions"] or non_personalised != key_row["nonPersonalised"]:
            sys.exit(f"{key_row['name']}: the rules give {actions}, nonPersonalised {non_personalised}")


def document():
    """The file's text: the distinct outcomes once, and one row for each combination."""
    outcomes, rows = [], []
    for values in itertools.product(*COLUMNS.values()):
        actions, non_personalised = outcome(dict(zip(COLUMNS, values)))
        entry = json.dumps({"actions": actions, "nonPersonalised": non_personalised})
        if entry not in outcomes:
            outcomes.append(entry)
        rows.append(json.dumps([*values, outcomes.index(entry)], separators=(",", ":")))
    columns = json.dumps([*COLUMNS, "outcome"])
    return (
        f'{{\n  "columns": {columns},\n  "outcomes": [\n    '
        + ",\n    ".join(outcomes)
        + '\n  ],\n  "rows": [\n    '
        + ",\n    ".join(rows)
        + "\n  ]\n}\n"
    )


def main():
    check_key_rows()
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != document():
            sys.exit(f"{TARGET.name} is not what the rules give; run {pathlib.Path(__file__).name}")
    else:
        TARGET.write_text(document())


if __name__ == "__main__":
    main()
