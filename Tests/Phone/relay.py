"""The way between a phone and the server at home: it can be cut, and it can lose answers."""

import http.client
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

#: A folder of the page's files, to try what is changed in them without building.
PAGE = os.environ.get("LARDER_PAGE")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
}


class Relay:
    """A port of its own, which passes on what comes to the household's server."""

    def __init__(self, household):
        self.household = household
        #: Called for each request. "cut" passes nothing on, "lost" loses the answer; a function is called in between.
        self.choose = lambda path: None
        #: All acts that a phone has sent, by their ids, and the number of times each was sent.
        self.acts = {}
        self.sent = {}
        self.lock = threading.Lock()
        relay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self):
                try:
                    super().handle()
                except ConnectionError:
                    """The phone went away."""

            def do_GET(self):
                relay.pass_on(self, None)

            def do_POST(self):
                relay.pass_on(self, self.rfile.read(int(self.headers["Content-Length"])))

            def log_message(self, *_):
                """It is quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def cut(self):
        self.choose = lambda path: "cut"

    def heal(self):
        self.choose = lambda path: None

    def pass_on(self, request, body):
        request.close_connection = True
        if request.path == "/api/1/acts":
            with self.lock:
                for act in json.loads(body)["acts"]:
                    self.acts[act["id"]] = act
                    self.sent[act["id"]] = self.sent.get(act["id"], 0) + 1
        choice = self.choose(request.path)
        if choice == "cut":
            return
        if PAGE and (file := Path(PAGE, request.path.strip("/").partition("?")[0] or "index.html")).is_file():
            return self.send_file(request, file)
        try:
            answer, content = self.ask(request, body, choice if callable(choice) else None)
        except OSError:
            return
        if choice == "lost":
            return
        request.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                request.send_header(name, value)
        request.send_header("Content-Length", len(content))
        request.send_header("Connection", "close")
        request.end_headers()
        request.wfile.write(content)

    def send_file(self, request, file):
        """Sends a file of the folder PAGE, as the server sends those that it was built with."""
        content = file.read_bytes()
        request.send_response_only(200)
        for name, value in {"Content-Type": TYPES[file.suffix], "Content-Security-Policy": POLICY, "Content-Length": len(content), "Connection": "close"}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)

    def ask(self, request, body, between):
        own = f"127.0.0.1:{self.household.port}"
        connection = http.client.HTTPConnection(own, timeout=60)
        headers = {name: value for name, value in request.headers.items() if name.lower() != "connection"}
        headers["Host"] = own
        if "Origin" in headers:
            headers["Origin"] = f"http://{own}"
        connection.request(request.command, request.path, body, headers)
        if between:
            between()
        answer = connection.getresponse()
        return answer, answer.read()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
