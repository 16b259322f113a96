"""Firefox, by WebDriver BiDi."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from websockets.sync.client import connect

from .browser import Browser

NAMES = ("firefox", "firefox-esr")
PREFERENCES = {
    "intl.accept_languages": "en-GB", "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False, "browser.startup.homepage_override.mstone": "ignore", "ui.prefersReducedMotion": 1,
}


class Firefox(Browser):
    """A process with one page."""

    def __init__(self):
        super().__init__()
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if not program:
            raise FileNotFoundError("no Firefox is installed")
        self.profile = Path(tempfile.mkdtemp(prefix="firefox-"))
        (self.profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        log = self.profile / "log"
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [program, "--headless", "--no-remote", "--profile", str(self.profile), "--remote-debugging-port", "0", "about:blank"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={"PATH": os.environ["PATH"], "HOME": str(self.profile), "LC_ALL": "C.UTF-8", "TZ": "UTC", "MOZ_HEADLESS": "1"},
            )
        end = time.monotonic() + 60
        while not (found := re.search(r"ws://127\.0\.0\.1:\d+", log.read_text())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"Firefox: {log.read_text()}")
            time.sleep(0.05)
        self.socket = connect(f"{found[0]}/session", max_size=None)
        self.number = 0
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **parameters):
        self.number += 1
        number = self.number
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=120))
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]
            self.notice(answer.get("method"), answer.get("params"))

    def notice(self, method, parameters):
        if method == "log.entryAdded" and parameters["type"] == "javascript" and parameters["level"] == "error":
            self.problems.append(parameters["text"])
        elif method == "network.beforeRequestSent":
            self.addresses.append(parameters["request"]["url"])

    def evaluate(self, script):
        result = self.call("script.evaluate", expression=script, target={"context": self.page}, awaitPromise=True, userActivation=True)
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"]

    def open(self, address):
        self.call("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def run(self, script):
        self.evaluate(f"{script};null")

    def value(self, expression):
        return json.loads(self.evaluate(f"(async () => JSON.stringify((await ({expression})) ?? null))()")["value"])

    def act(self, source):
        self.call("input.performActions", context=self.page, actions=[{"id": source["type"], **source}])

    def press(self, x, y):
        place = {"type": "pointerMove", "x": round(x), "y": round(y)}
        self.act({"type": "pointer", "parameters": {"pointerType": "mouse"}, "actions": [place, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def type(self, text):
        keys = text.replace("\n", "\ue007")
        self.act({"type": "key", "actions": [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]})

    def resize(self, width, height, is_dark=False):
        self.call("browsingContext.setViewport", context=self.page, viewport={"width": width, "height": height})

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("browsingContext.captureScreenshot", context=self.page)["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
