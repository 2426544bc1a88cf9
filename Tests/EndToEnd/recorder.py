"""A stand-in for the service: it keeps what reaches it, and answers what the test says."""

import socket
import threading


class Recorder:
    """Answers each request with `answer(head)`, bytes; `heads` are the requests so far, `starts` what connections began
    with where `preface` bytes come before HTTP."""

    def __init__(self, answer, preface=None):
        self.answer, self.preface = answer, preface
        self.heads, self.prefaces = [], []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.threads, self.connections = [], []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,))
            self.threads.append(thread)
            thread.start()

    def _serve(self, connection):
        with connection:
            received = b""
            try:
                if self.preface:
                    self.prefaces.append(self.preface(connection))
                while True:
                    while b"\r\n\r\n" not in received:
                        chunk = connection.recv(65536)
                        if not chunk:
                            return
                        received += chunk
                    head, _, received = received.partition(b"\r\n\r\n")
                    self.heads.append(head)
                    connection.sendall(self.answer(head))
            except OSError:
                return

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._accepting.join()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self.threads:
            thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def field(head, name):
    """The values of a field in a request's head, in order."""
    lines = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    return [value.strip().decode() for key, _, value in lines if key.strip().lower() == name.lower().encode()]


def ok(*lines, bucket="regionalMarket"):
    """An answer with further header lines."""
    body = f'{{"bucket":"{bucket}"}}'
    head = ["HTTP/1.1 200 OK", "Content-Type: application/json", f"Content-Length: {len(body)}", *lines]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()
