"""One rule for paths (Docs/wire.md, W14), over the socket: a path has one spelling, and every other is a 404."""

import concurrent.futures
import unittest

from http_cases import CLOSE, problem, with_first_line
from support import Service, parse
from test_http_cases import undated

ROUTES = ("/v1/region", "/healthz", "/readyz")


def encoded(character, upper=True):
    return f"%{ord(character):02X}" if upper else f"%{ord(character):02x}"


def other_spellings(path):
    """What some server or other takes for the same path."""
    slashes = [place for place, character in enumerate(path) if character == "/"]
    for place, character in enumerate(path):
        for code in {encoded(character), encoded(character, upper=False), "%25" + encoded(character)[1:]}:
            yield path[:place] + code + path[place + 1:]
        if character.swapcase() != character:
            yield path[:place] + character.swapcase() + path[place + 1:]
    for place in slashes:
        for inserted in ("/", "//", "/.", "/%2e", "/%2E", "/x/..", "/x/%2e%2e", "/..", "/;", "/;a=b", "/%00", "/%5c",
                         "/%c0%af", "/x/../."):
            yield path[:place] + inserted + path[place:]
    for ending in ("/", "//", "/.", "/..", "/x/..", "/%2e", ".", "..", ";", ";a=b", "%20", "%00", "%0d%0a", "%3F",
                   "%3f", "%23", "%2F", "*", "+", ":80", "@x", ",", ".json", "=", "%09", "~"):
        yield path + ending
    for before in ("/x/..", "/.", "/..", "/../..", "/x/../..", "/%2e", "/.;", "/..;", "/%2e%2e", "/v1/.."):
        yield before + path
    yield path.upper()
    yield "".join(encoded(character) for character in path)


class Paths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.stop)

    def ask(self, method, target):
        data = with_first_line(f"{method} {target} HTTP/1.1".encode("latin-1"))
        return undated(self.service.exchange(data))

    def test_w14_every_other_spelling_is_another_path(self):
        spellings = [spelling for path in ROUTES for spelling in dict.fromkeys(other_spellings(path))]
        self.assertFalse(set(spellings) & set(ROUTES))
        asked = [
            (method, form + spelling + query) for spelling in spellings for method in ("GET", "HEAD", "POST")
            for form in ("", "http://test", "HTTPS://other:443") for query in ("", "?a=/v1/region")]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda one: self.ask(*one), asked))
        wrong = []
        for (method, target), answer in zip(asked, answers, strict=True):
            is_head = method == "HEAD"
            # Without its slash it is no path at all, and its letters may be an authority's.
            may_be = [problem(404, is_head=is_head)]
            if "%2" in target:
                may_be.append(problem(400, CLOSE, is_head=is_head))
            if answer not in may_be:
                wrong.append((method, target, answer))
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {len(asked)}")
        print(f"{len(spellings)} other spellings of {len(ROUTES)} paths, {len(asked)} requests: all 404")

    def test_w14_the_one_spelling_is_found(self):
        """The positive control, in every form of target that names it."""
        for path in ROUTES:
            for form in ("", "http://test", "HTTPS://other:443", "http://[::1]", "http://test:"):
                for query in ("", "?", "?a", "?a=../..//%2e", "??", "?http://x/y"):
                    self.assertEqual(parse(self.ask("GET", form + path + query)).status, 200, form + path + query)

    def test_w14_an_empty_path_is_the_root(self):
        for target in ("http://test", "http://test?", "http://test?/v1/region", "http://test/", "/", "/?/v1/region"):
            self.assertEqual(self.ask("GET", target), problem(404), target)


if __name__ == "__main__":
    unittest.main()
