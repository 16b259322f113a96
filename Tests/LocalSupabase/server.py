"""The HTTP server: keeps connections, checks the key as Supabase's gateway does, and passes on."""

import json
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from . import faults, mails
from .messages import Request, Response

LARGEST_BODY = 50 * 1024 * 1024

# What lets a page of any origin ask, and read what is answered.
SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Encoding, Content-Location, Content-Range, "
    "Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit",
}


class Dropped(Exception):
    """The connection is to close without an answer."""


class Server(ThreadingHTTPServer):
    """Listens on the loopback address only."""

    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def __init__(self, port):
        super().__init__(("127.0.0.1", port), Handler)

    def open(self, keys, halves, faults, mails):
        """Says which keys are good, who answers under which prefix, what may go wrong, and where
        mails are."""
        self.keys, self.halves, self.faults, self.mails = set(keys), halves, faults, mails

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        """A client that goes away is no news; anything else is a mistake and is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def answer(self, request) -> Response:
        if request.method == "OPTIONS" and "access-control-request-method" in request.headers:
            return allowed(request)
        # Whoever follows the link in a mail has no key.
        is_link = (request.method, request.path) == ("GET", "/auth/v1/verify")
        if request.api_key is None and not is_link:
            return refused(
                "No API key found in request", "No `apikey` request header or url param was found."
            )
        if request.api_key not in self.keys and not is_link:
            return refused(
                "Invalid API key", "Double check your Supabase `anon` or `service_role` API key."
            )
        for prefix, half in self.halves.items():
            if request.path == prefix or request.path.startswith(prefix + "/"):
                request.prefix = prefix
                return half.answer(request)
        return Response(
            404,
            {"Content-Type": "application/json"},
            b'{"message":"no Route matched with those values"}',
        )


def allowed(request):
    """What a browser asks before a request that is none of a plain form; it sends no key along."""
    return Response(
        200,
        {
            "Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS",
            "Access-Control-Allow-Headers": request.headers.get(
                "access-control-request-headers", ""
            ),
            "Access-Control-Max-Age": "3600",
        },
    )


def refused(message, hint):
    return Response(
        401,
        {"Content-Type": "application/json"},
        json.dumps({"message": message, "hint": hint}).encode(),
    )


class Handler(BaseHTTPRequestHandler):
    """Reads a request, lets faults happen, writes the answer."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def answer_request(self):
        request = self.read_request()
        if request is None:
            return
        known = self.server.faults
        if known and request.path == faults.PATH:
            self.write(known.control(request), request)
            return
        if request.path == mails.PATH:
            self.write(self.server.mails.control(request), request)
            return
        action = known.action_for(request) if known else {}
        try:
            response = self.respond(request, action)
        except Dropped:
            known.record(request, None)
            self.drop()
            return
        if known:
            known.record(request, response.status)
        self.write(response, request, action.get("truncate"))

    do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = do_OPTIONS = answer_request

    def respond(self, request, action) -> Response:
        time.sleep(action.get("delay", 0))
        if action.get("drop") == "before":
            raise Dropped
        if "redirect" in action:
            return Response(307, {"Location": action["redirect"]})
        if "status" in action:
            headers = {"Content-Type": "application/json"} | action.get("headers", {})
            return Response(action["status"], headers, action.get("body", "").encode())
        request.treat_as_expired = bool(action.get("expire"))
        request.row_cap = action.get("cap")
        response = self.server.answer(request)
        time.sleep(action.get("linger", 0))
        if action.get("drop") == "after":
            raise Dropped
        return response

    # Reading and writing

    def read_request(self):
        headers = {}
        for name, value in self.headers.items():
            name = name.lower()
            headers[name] = f"{headers[name]},{value}" if name in headers else value
        body = self.read_body(headers)
        if body is None:
            self.close_connection = True
            self.write(
                Response(
                    413,
                    {"Content-Type": "application/json"},
                    b'{"message":"Request size limit exceeded"}',
                ),
                None,
            )
            return None
        return Request(self.command, self.path, headers, body)

    def read_body(self, headers):
        if headers.get("transfer-encoding", "").lower() == "chunked":
            return self.read_chunks()
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return None
        return self.rfile.read(int(length))

    def read_chunks(self):
        chunks, left = [], LARGEST_BODY
        while size := int(self.rfile.readline(64).split(b";")[0], 16):
            left -= size
            if left < 0:
                return None
            chunks.append(self.rfile.read(size))
            self.rfile.readline(64)
        while self.rfile.readline(65536).strip():
            pass
        return b"".join(chunks)

    def handle_expect_100(self):
        """A client with a large body waits for this, so it may not stay in the buffer."""
        super().handle_expect_100()
        self.wfile.flush()
        return True

    def write(self, response, request, truncate=None):
        self.send_response(response.status)
        for name, value in (SHARED | response.headers).items():
            self.send_header(name, value.encode().decode("latin-1"))
        if response.status != 204:
            self.send_header("Content-Length", str(len(response.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        has_body = request is None or request.method != "HEAD"
        if has_body and response.status != 204:
            self.wfile.write(response.body[:truncate])
        self.wfile.flush()
        if truncate is not None:
            self.drop()

    def drop(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def log_message(self, *ignored):
        pass

    def version_string(self):
        return "local-supabase"
