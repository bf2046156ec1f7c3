"""A session of an agent at a gateway, over HTTP. Needs Python 3.9 or later and nothing else: docs/reference/http.md."""

import json
import time
import urllib.error
import urllib.request
import uuid

# Capabilities whose steps run when no gateway answers.
FAIL_OPEN = {"read"}
ATTEMPTS_MAX = 3
WAIT_MS_MAX = 30_000


class Blocked(Exception):
    """The step may not run; the message is for the model that proposed it."""


class Refused(Exception):
    """The gateway refuses the request. Sending it again does not help."""


class Unreachable(Exception):
    """No gateway answered."""


class Session:
    """One run of one agent, one step at a time. Not thread-safe."""

    def __init__(self, url, key, **start):
        """`start`: `category`, `agent`, `user` and `task`, if known."""
        self._url, self._key = url.rstrip("/"), key
        self._unreported = []
        self._session = self._ask("/v1/sessions", start)["session"]

    def run(self, tool, function, arguments, capability, patience=0.0):
        """Checks the step, calls `function` if it may run, and reports the result. Waits `patience` seconds for an approval."""
        call_id = f"call-{uuid.uuid4()}"
        self._allow(call_id, tool, arguments, capability, patience)
        try:
            result = function(**arguments)
        except Exception as error:
            self._report(call_id, tool, outcome="error", result=str(error))
            raise
        self._report(call_id, tool, result=result)
        return result

    def end(self, outcome="completed"):
        self._send_unreported()
        self._ask("/v1/end", {"session": self._session, "outcome": outcome})

    def _allow(self, call_id, tool, arguments, capability, patience):
        """Returns if the step may run, and raises `Blocked` otherwise."""
        try:
            self._send_unreported()
            answer = self._check(call_id, tool, arguments, patience)
        except Unreachable as error:
            if capability not in FAIL_OPEN:
                raise Blocked(f"`{tool}` was not run: {error}") from error
            return
        if not answer["mayRun"]:
            raise Blocked(answer["message"])

    def _check(self, call_id, tool, arguments, patience):
        call = {"session": self._session, "callId": call_id}
        answer = self._ask("/v1/check", {**call, "tool": tool, "arguments": arguments})
        until = time.monotonic() + patience
        while answer["verdict"] == "confirm" and not answer["mayRun"] and (left := until - time.monotonic()) > 0:
            wait_ms = min(WAIT_MS_MAX, int(left * 1000) + 1)
            answer = self._ask("/v1/resolution", {**call, "waitMs": wait_ms})
        return answer

    def _report(self, call_id, tool, **result):
        """Reports that fail now are sent before the next step, in order. They name the tool, for a gateway that did not check the step."""
        self._unreported.append({"session": self._session, "callId": call_id, "tool": tool, **result})
        try:
            self._send_unreported()
        except Unreachable:
            pass

    def _send_unreported(self):
        while self._unreported:
            try:
                self._ask("/v1/complete", self._unreported[0])
            except Refused:
                self._unreported.pop(0)
                raise
            self._unreported.pop(0)

    def _ask(self, path, body):
        """Retries if that can help. With its call id a request counts once."""
        problem = None
        for attempt in range(ATTEMPTS_MAX):
            if attempt > 0:
                time.sleep(0.1 * 2**attempt)
            try:
                return self._post(path, body)
            except urllib.error.HTTPError as error:
                problem = message_of(error)
                if error.code != 429 and error.code < 500:
                    raise Refused(problem) from error
            except OSError as error:
                problem = str(error)
        raise Unreachable(f"no verdict came: {problem}")

    def _post(self, path, body):
        data = json.dumps(body).encode("utf-8")
        headers = {"authorization": f"Bearer {self._key}", "content-type": "application/json"}
        request = urllib.request.Request(self._url + path, data, headers)
        with urllib.request.urlopen(request, timeout=WAIT_MS_MAX / 1000 + 10) as reply:
            text = reply.read()
        return json.loads(text) if text else None


def message_of(error):
    try:
        return json.load(error)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return f"HTTP {error.code}"
