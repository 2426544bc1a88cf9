"""What REDbot has to say of answers, all asked for at once: reads [method, URL, [[name, value], …]] from each line of
its input, as JSON, and writes for each a line with the status and [level, note, subject, summary] of every note. For
the Python that has it."""

import configparser
import json
import sys

import thor
from redbot.resource import HttpResource


def start(method, url, fields):
    parser = configparser.ConfigParser()
    parser.read_dict({"redbot": {"enable_local_access": "True"}})
    resource = HttpResource(parser["redbot"])
    resource.set_request(url, method, [tuple(field) for field in fields])
    resource.on("check_done", lambda: done(resource))
    return resource


def done(resource):
    waiting.discard(resource)
    if not waiting:
        thor.stop()


def report(resource):
    if resource.fetch_error:
        error = resource.fetch_error
        return {"status": None, "notes": [["BAD", type(error).__name__, "", str(error)]]}
    responses = [resource, *(one for one in resource.subreqs.values() if one.fetch_started)]
    return {"status": resource.response.status_code, "notes": [
        [note.level.name, type(note).__name__, note.subject, str(note.summary)]
        for one in responses for note in one.response.notes]}


resources = [start(*json.loads(line)) for line in sys.stdin]
waiting = set(resources)
for each in resources:
    each.check()
thor.run()
for each in resources:
    print(json.dumps(report(each)))
