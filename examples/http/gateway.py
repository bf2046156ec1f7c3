"""A session of an agent at a gateway, over HTTP. Needs Python 3.9 or later and nothing else: docs/reference/http.md."""

import json
import time
import urllib.error
import urllib.request
import uuid

# What a step does when no gateway answers, by what its tool can do.
FAIL_OPEN = {"read"}
ATTEMPTS_MAX = 3
WAIT_MS_MAX = 30_000


class Blocked(Exception):
    """The step may not run; the message is for the model that proposed it."""


class Refused(Exception):
    """The gateway takes the request for wrong: to send it again would not help."""


class Unreachable(Exception):
    """No gateway has answered."""


class Session:
    """One run of one agent. Not for several threads: one step at a time."""

    def __init__(self, url, key, **told):
        """`category`, `agent`, `user` and `task`, where they are known."""
        self._url, self._key = url.rstrip("/"), key
        self._unreported = []
        self._session = self._ask("/v1/sessions", told)["session"]

    def run(self, tool, function, arguments, capability, patience=0.0):
        """Asks, calls `function` where it may run, and tells what came of it. Waits `patience` seconds where a human is asked."""
        call_id = f"call-{uuid.uuid4()}"
        self._allow(call_id, tool, arguments, capability, patience)
        try:
            result = function(**arguments)
        except Exception as error:
            self._tell(call_id, tool, outcome="error", result=str(error))
            raise
        self._tell(call_id, tool, result=result)
        return result

    def end(self, outcome="completed"):
        self._send_unreported()
        self._ask("/v1/end", {"session": self._session, "outcome": outcome})

    def _allow(self, call_id, tool, arguments, capability, patience):
        """Returns where the step may run."""
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

    def _tell(self, call_id, tool, **result):
        """What cannot be told now is told before the next step, the order kept; the tool is named for a gateway that was not asked."""
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
        """Sends the same request again where it can help: with a call id of its own it counts once."""
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
