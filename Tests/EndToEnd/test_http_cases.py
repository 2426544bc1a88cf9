"""Every case of http_cases.py and http_framing_cases.py over the socket: the exact bytes of the answers, however the
request was cut, and nothing behind a request that is refused."""

import concurrent.futures
import re
import socket
import unittest

from http_cases import CONTINUE, KR, US, bucket_answer
from http_framing_cases import COMPLETE, UNFINISHED
from support import Service, request

# IMF-fixdate (RFC 9110 §5.6.7); what is written in another way stays, and is no expected answer.
DATE = re.compile(rb"(?<=\r\nDate: )(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d "
                  rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT(?=\r\n)")
GOOD = request(US)
GOOD_ANSWER = bucket_answer("otherMarket")


def undated(data):
    return DATE.sub(b"D", data)


def bytewise(data):
    """The bytes one by one; the longest requests in some hundred pieces."""
    size = max(1, len(data) // 400)
    return [data[start:start + size] for start in range(0, len(data), size)]


class EveryCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.stop)

    def play(self, cases, exchange):
        """`exchange(case)` gives what came back, and all that may have."""
        def complaint(case):
            received, expected = exchange(case)
            return None if undated(received) in expected else (case.section, case.name, received, expected)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            wrong = [found for found in pool.map(complaint, cases) if found]
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {len(cases)} cases")

    def answers(self, case, before=b""):
        return before + case.answers + (b"" if case.closes else GOOD_ANSWER)

    def test_whole(self):
        self.play(COMPLETE, lambda case: (self.service.exchange(case.data + GOOD), [self.answers(case)]))
        print(f"{len(COMPLETE)} requests, {sum(case.closes for case in COMPLETE)} of them their connection's last")

    def test_byte_by_byte(self):
        def exchange(case):
            # Whoever has asked for the end sends nothing after it: it might come when the connection is gone.
            asked_to_close = case.closes and case.answers.startswith(b"HTTP/1.1 200 ")
            data = case.data + (b"" if asked_to_close else GOOD)
            expected = [self.answers(case)]
            if case.continues:
                expected.append(self.answers(case, CONTINUE))
            return self.service.exchange(data, pieces=bytewise(data)), expected
        self.play(COMPLETE, exchange)

    def test_glued_after_a_good_request(self):
        self.play(COMPLETE, lambda case: (
            self.service.exchange(GOOD + case.data + GOOD), [self.answers(case, GOOD_ANSWER)]))

    def test_requests_that_never_end(self):
        for before, answer in ((b"", b""), (GOOD, GOOD_ANSWER)):
            self.play(UNFINISHED, lambda case, before=before, answer=answer: (
                self.service.exchange(before + case.data), [answer]))

    def test_whoever_waits_for_100_gets_it(self):
        waiting = [case for case in COMPLETE if case.continues]
        self.assertGreater(len(waiting), 1)
        for case in waiting:
            head, _, body = case.data.partition(b"\r\n\r\n")
            with socket.create_connection(("127.0.0.1", self.service.port), timeout=20) as connection:
                connection.sendall(head + b"\r\n\r\n")
                self.assertEqual(connection.recv(100), CONTINUE)
                connection.sendall(body)
                self.assertEqual(undated(connection.recv(4096)), case.answers)

    def test_the_comparison_sees_a_wrong_byte(self):
        """The positive control: another case's answer, a date in another form, a missing answer."""
        received = self.service.exchange(request(KR))
        self.assertEqual(undated(received), bucket_answer())
        for wrong in (GOOD_ANSWER, bucket_answer(is_head=True), b""):
            self.assertNotEqual(undated(received), wrong)
        self.assertNotEqual(undated(received.replace(b" GMT", b" UTC")), bucket_answer())


if __name__ == "__main__":
    unittest.main()
