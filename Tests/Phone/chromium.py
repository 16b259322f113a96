"""Chromium, by the DevTools protocol over pipes."""

import atexit
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

from .browser import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@cache
def the_process():
    """The process that all phones of the tests share; it ends with them."""
    process = Connection()
    atexit.register(process.close)
    return process


class Connection:
    """A process of Chromium. Each of its contexts has storage of its own, as a phone has."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if not program:
            raise FileNotFoundError("no Chromium is installed")
        self.profile = Path(tempfile.mkdtemp(prefix="chromium-"))
        self.process = subprocess.Popen(
            # The protocol is at the descriptors 3 and 4. As root, in containers, it has no sandbox.
            ["sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', program]
            + ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
            + ["--no-first-run", "--lang=en-GB", f"--user-data-dir={self.profile}", "--remote-debugging-pipe"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "HOME": str(self.profile), "LC_ALL": "C.UTF-8", "TZ": "UTC"},
        )
        self.requests, self.answers = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.unread = b""
        self.number = 0
        self.pages = {}

    def call(self, method, session=None, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        os.write(self.requests, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def receive(self, seconds=120):
        """Reads one message, and gives events to their page."""
        while b"\0" not in self.unread:
            more = select.select([self.answers], [], [], seconds)[0] and os.read(self.answers, 1 << 20)
            if not more:
                raise RuntimeError("the browser says nothing more")
            self.unread += more
        message, _, self.unread = self.unread.partition(b"\0")
        message = json.loads(message)
        if page := self.pages.get(message.get("sessionId")):
            page.notice(message.get("method"), message.get("params"))
        return message

    def close(self):
        self.process.terminate()
        self.process.communicate()
        shutil.rmtree(self.profile, ignore_errors=True)


class Chromium(Browser):
    """A page in a context of its own."""

    def __init__(self):
        super().__init__()
        self.connection = the_process()
        self.is_loaded = False
        self.context = self.connection.call("Target.createBrowserContext")["browserContextId"]
        target = self.connection.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = self.connection.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.connection.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setLocaleOverride", locale="en-GB")
        # A page that is not in front is looked at too.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method, **parameters):
        return self.connection.call(method, self.session, **parameters)

    def notice(self, method, parameters):
        if method == "Page.loadEventFired":
            self.is_loaded = True
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["source"] != "network":
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.addresses.append(parameters["request"]["url"])

    def open(self, address):
        self.is_loaded = False
        # A page of which only the part behind # is new is not loaded again.
        is_same = "loaderId" not in self.call("Page.navigate", url=address)
        while not is_same and not self.is_loaded:
            self.connection.receive()

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def run(self, script):
        self.value(f"{script};void 0")

    def press(self, x, y):
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        time.sleep(0.03)

    def type(self, text):
        for letter in text:
            key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"} if letter == "\n" else {"key": letter, "text": letter}
            self.call("Input.dispatchKeyEvent", type="keyDown", **key)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key["key"])

    def resize(self, width, height, is_dark=False):
        features = {"prefers-color-scheme": "dark" if is_dark else "light", "prefers-reduced-motion": "reduce"}
        self.call("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features.items()])
        is_phone = width < 1000
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)

    def slow_down(self, times):
        """Makes the processor so many times slower."""
        self.call("Emulation.setCPUThrottlingRate", rate=times)

    def longest_task(self, work):
        """Does some work, and returns how many milliseconds the page's longest task took meanwhile, by its thread's own
        clock: others may have the processor."""
        call = self.connection.call
        call("Tracing.start", transferMode="ReturnAsStream", traceConfig={"includedCategories": ["toplevel", "disabled-by-default-devtools.timeline"]})
        work()
        call("Tracing.end")
        while (message := self.connection.receive()).get("method") != "Tracing.tracingComplete":
            pass
        stream, text, part = message["params"]["stream"], "", {}
        while not part.get("eof"):
            part = call("IO.read", handle=stream)
            text += base64.b64decode(part["data"]).decode() if part.get("base64Encoded") else part["data"]
        call("IO.close", handle=stream)
        events = json.loads(text)["traceEvents"]
        pages = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
        return max((event.get("tdur", 0) / 1000 for event in events if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in pages), default=0)

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        del self.connection.pages[self.session]
        self.connection.call("Target.disposeBrowserContext", browserContextId=self.context)
