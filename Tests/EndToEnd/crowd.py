"""A crowd of clients, in a process of its own with a descriptor limit of its own.

usage: crowd.py HOST PORT COUNT STAGE

Brings COUNT connections to a stage, many at once, and prints what became of them as a line of JSON:

  connected  nothing was sent
  half       half a request was sent
  answered   a request was sent, its answer read
  unread     a request was sent, nothing is read
  flooded    requests were sent for as long as the socket took them, nothing is read

Then each line of standard input is obeyed, with a line of JSON for it: `ask` sends another request on every connection
and reads the answers, `close` closes them all, `reset` does so with RST. At the end of the input the process ends.
"""

import collections
import json
import resource
import selectors
import socket
import struct
import sys
import time

REQUEST = b"GET /v1/region HTTP/1.1\r\nHost: test\r\nCloudFront-Viewer-Country: KR\r\n\r\n"
RIGHT_BODY = b'{"bucket":"regionalMarket"}'
# What is under way at a time: more would overflow the listener's queue, and SYNs are sent again only after a second.
AT_ONCE_MAX = 1000
FLOOD_IDLE_SECONDS = 0.5
GIVE_UP_SECONDS = 60


class Client:
    """One connection on its way to the stage."""

    def __init__(self, address, stage):
        self.stage = stage
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        if stage == "flooded":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.unsent = {"connected": b"", "half": REQUEST[:-10], "flooded": REQUEST * 200}.get(stage, REQUEST)
        self.received = b""
        self.result = None
        self.socket.connect_ex(address)

    def ask(self):
        self.stage, self.unsent, self.received, self.result = "answered", REQUEST, b"", None

    def step(self):
        """Goes on; the events that it waits for now, or None once it is there."""
        try:
            if error := self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise OSError(error, "connect")
            if self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent):]
                if self.stage == "flooded" and not self.unsent:
                    self.unsent = REQUEST * 200
            if self.unsent:
                return selectors.EVENT_WRITE
            if self.stage != "answered":
                return self.end(self.stage)
            return self.read()
        except BlockingIOError:
            return selectors.EVENT_WRITE if self.unsent else selectors.EVENT_READ
        except ConnectionResetError:
            return self.end("reset")
        except OSError as error:
            return self.end(f"errno {error.errno}")

    def read(self):
        chunk = self.socket.recv(4096)
        if not chunk:
            return self.end("closed")
        self.received += chunk
        head, separator, body = self.received.partition(b"\r\n\r\n")
        if not separator or b"content-length: %d\r\n" % len(body) not in head.lower() + b"\r\n":
            return selectors.EVENT_READ
        status = head[9:12].decode()
        return self.end("wrong" if status == "200" and body != RIGHT_BODY else status)

    def end(self, result):
        self.result = result


def bring(clients):
    """Brings each to its stage; how many ended how."""
    selector = selectors.DefaultSelector()
    deadline = time.monotonic() + GIVE_UP_SECONDS
    waiting, all_of_them, under_way = iter(clients), [], 0
    while time.monotonic() < deadline:
        while under_way < AT_ONCE_MAX and (client := next(waiting, None)):
            all_of_them.append(client)
            # A socket becomes writable when it is connected.
            selector.register(client.socket, selectors.EVENT_WRITE, client)
            under_way += 1
        if not under_way:
            break
        events = selector.select(FLOOD_IDLE_SECONDS)
        if not events and any(key.data.stage == "flooded" for key in selector.get_map().values()):
            break  # no socket takes anything more
        for key, _ in events:
            wanted = key.data.step()
            if wanted is None:
                selector.unregister(key.fileobj)
                under_way -= 1
            elif wanted != key.events:
                selector.modify(key.fileobj, wanted, key.data)
    selector.close()
    results = collections.Counter(client.result or client.stage for client in all_of_them)
    return all_of_them, dict(results)


def say(value):
    print(json.dumps(value), flush=True)


def main():
    host, port, count, stage = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    clients, results = bring(Client((host, port), stage) for _ in range(count))
    say(results)
    for line in sys.stdin:
        command = line.strip()
        if command == "ask":
            clients = [client for client in clients if client.result == "200"]
            for client in clients:
                client.ask()
            say(bring(iter(clients))[1])
            continue
        for client in clients:
            if command == "reset":
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.socket.close()
        say({"closed": len(clients)})
        clients = []


if __name__ == "__main__":
    main()
