"""A Dockerfile, read: stages and their instructions. What it cannot carry out it refuses."""

import json
import re
import shlex


class Instruction:
    """One instruction: its name, its text with variables replaced, and its flags (`--from=build`)."""

    def __init__(self, name, text, line):
        self.name, self.line, self.flags = name, line, {}
        while match := re.match(r"--([a-z-]+)=(\S+)\s+", text):
            self.flags[match[1]] = match[2]
            text = text[match.end():]
        self.text = text

    def words(self):
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)

    def pairs(self):
        """NAME=VALUE, as LABEL and ENV have it."""
        return dict(word.split("=", 1) for word in shlex.split(self.text))


class Stage:
    def __init__(self, base, name):
        self.base, self.name, self.instructions = base, name, []

    def all(self, name):
        return [entry for entry in self.instructions if entry.name == name]

    def last(self, name):
        found = self.all(name)
        if not found:
            raise ValueError(f"the stage {self.name or 'at the end'} has no {name}")
        return found[-1]

    def packages(self):
        """What its `apt-get install` lines name."""
        found = []
        for entry in self.all("RUN"):
            for words in re.findall(r"apt-get install ((?:(?!&&|;).)*)", entry.text):
                found += [word for word in words.split() if not word.startswith("-")]
        return found

    def healthcheck(self):
        entry = self.last("HEALTHCHECK")
        words = re.search(r"CMD (\[.*\])$", entry.text)
        if not words:
            raise ValueError("HEALTHCHECK is no CMD [\"...\"]")
        return json.loads(words[1])


def logical_lines(text):
    """Lines without comments, continued ones joined, each with the number at which it begins."""
    pending, start = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or not line.strip():
            continue
        start = start or number
        if line.endswith("\\"):
            pending += line[:-1]
        else:
            yield start, re.sub(r"\s+", " ", pending + line).strip()
            pending, start = "", None
    if pending:
        raise ValueError("the last line is continued")


def replaced(text, values):
    """`text` with ${NAME} replaced for the names in `values`; other variables are left to the shell."""
    return re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


def parse(text):
    """The stages, in order."""
    outside, inside, stages = {}, {}, []
    for number, line in logical_lines(text):
        name, _, rest = line.partition(" ")
        if name == "ARG":
            key, separator, value = rest.partition("=")
            if not stages:
                outside[key] = value
            else:
                inside[key] = value if separator else outside[key]
            continue
        rest = replaced(rest, inside if stages and name != "FROM" else outside)
        if name == "FROM":
            match = re.fullmatch(r"(\S+)(?: AS (\S+))?", rest)
            if not match:
                raise ValueError(f"line {number}: {line}")
            stages.append(Stage(match[1], match[2]))
            inside = {}
        elif name in ("RUN", "COPY", "WORKDIR", "LABEL", "ENV", "USER", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK",
                      "ENTRYPOINT", "CMD"):
            stages[-1].instructions.append(Instruction(name, rest, number))
        else:
            raise ValueError(f"line {number}: {name} is not known here")
    return stages
