"""WebKitGTK, by WebDriver. It is shown on a screen that nobody sees; its driver takes no pictures there."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .browser import Browser

BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"


class WebKit(Browser):
    """A process with one page."""

    def __init__(self):
        super().__init__()
        driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
        browser = next(iter(sorted(Path("/").glob(BROWSERS[1:]))), None)
        if not (driver and screen and browser):
            raise FileNotFoundError("WebKitWebDriver, MiniBrowser and Xvfb are needed")
        self.folder = Path(tempfile.mkdtemp(prefix="webkit-"))
        shown, number = os.pipe()
        self.screen = subprocess.Popen(
            [screen, "-displayfd", str(number), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
            pass_fds=(number,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(number)
        with os.fdopen(shown) as reading:
            display = f":{reading.readline().strip()}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "DISPLAY": display, "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "XDG_RUNTIME_DIR": str(self.folder), "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_FORCE_SANDBOX": "0", "GTK_A11Y": "none", "NO_AT_BRIDGE": "1",
        }
        self.driver = subprocess.Popen([driver, f"--port={self.port}"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        end = time.monotonic() + 30
        while True:
            try:
                wanted = {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}, "timeouts": {"script": 120_000}}
                self.session = "/session/" + self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                return
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, self.session + path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{path}: {answer['error']}: {answer.get('message')}")
        return answer

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script):
        self.call("POST", "/execute/sync", {"script": script, "args": []})

    def value(self, expression):
        script = f"const done = arguments[0]; (async () => ({expression}))().then((value) => done([value ?? null]), (error) => done(`${{error}}`))"
        result = self.call("POST", "/execute/async", {"script": script, "args": []})
        if isinstance(result, str):
            raise RuntimeError(result)
        return result[0]

    def press(self, x, y):
        place = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"}, "actions": [place, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}
        self.call("POST", "/actions", {"actions": [finger]})

    def type(self, text):
        if not text:
            return
        if max(text, default="") > "\uffff":
            # There are no keys for these.
            self.value(f"document.execCommand('insertText', false, {json.dumps(text)})")
            return
        focused = next(iter(self.call("GET", "/element/active").values()))
        self.call("POST", f"/element/{focused}/value", {"text": text.replace("\n", "\ue007")})

    def resize(self, width, height, is_dark=False):
        self.call("POST", "/window/rect", {"width": width, "height": height})

    def picture(self, path):
        """There are none."""

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            for process in (self.driver, self.screen):
                process.terminate()
                process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
