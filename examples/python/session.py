"""A session of an agent over Plimsoll's topics. docs/guides/another-language.md explains each rule."""

import json
import secrets
import time
import uuid

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from canonical import digest_of, salted_digest

# Capabilities whose steps run when no verdict comes in time.
FAIL_OPEN = {"read"}
HEALS_MAX = 3


class Session:
    """One run of one agent, one step at a time. Not thread-safe."""

    def __init__(self, brokers, prefix="plimsoll", session_id=None, timeout=5.0, disclose=()):
        self.id = session_id or f"session-{uuid.uuid4()}"
        self.timeout = timeout
        # Tools whose arguments are sent as they are, for approvers.
        self._disclosed = frozenset(disclose)
        self._events, decisions = f"{prefix}.events", f"{prefix}.decisions"
        # Unique to this process, which numbers its own events.
        self._producer_name = f"py-{uuid.uuid4()}"
        # Key for the digests of arguments. It never leaves this process.
        self._key = secrets.token_bytes(32)
        self._sent = []
        self._seen = set()
        self._without_verdict = []
        self._producer = Producer(
            {
                "bootstrap.servers": brokers,
                "partitioner": "murmur2_random",  # as Kafka's Java clients place a key
                "enable.idempotence": True,
            }
        )
        self._consumer = Consumer({"bootstrap.servers": brokers, "group.id": self._producer_name, "enable.auto.commit": False})
        self._read_from_end(decisions)

    def start(self, **fields):
        """`fields`: `category`, `agent` and `task`, if known."""
        self._publish({"type": "session.started", **fields})

    def propose(self, tool, arguments, capability, evidence="unknown"):
        """Returns the decision on a step before it runs; None if none came in time, so that the fail mode decides."""
        call = {"callId": f"call-{uuid.uuid4()}", "tool": tool}
        without_verdict, self._without_verdict = self._without_verdict[:16], self._without_verdict[16:]
        event = self._publish(
            {
                "type": "step.proposed",
                **call,
                **self._arguments_of(tool, arguments),
                "evidence": {"sensitive": evidence},
                **({"withoutVerdict": without_verdict} if without_verdict else {}),
            }
        )
        decision = self._decision_on(event)
        if decision is None and capability in FAIL_OPEN:
            # It runs without a verdict, and is reported with the next step.
            self._without_verdict.append(call)
        return decision

    def _arguments_of(self, tool, arguments):
        """The digest of a step's arguments and, if they are disclosed, the arguments with the salt that opens it."""
        salt = digest_of(arguments, self._key)
        opened = {"arguments": arguments, "argumentsSalt": salt} if tool in self._disclosed else {}
        return {"argumentsDigest": salted_digest(arguments, salt), **opened}

    def complete(self, decision, outcome="ok"):
        """Reports that the decided step ran."""
        self._publish({"type": "step.completed", "callId": decision["callId"], "tool": decision["tool"], "outcome": outcome})

    def resolution(self, decision, timeout):
        """Returns the decision after a human's answer to a `confirm`; None if none came in time. The deadline is on the log's clock."""
        lasts = (decision["expiresAt"] - decision["time"]) / 1000
        return self._wait(min(timeout, lasts), lambda it: it["kind"] == "approval" and it["callId"] == decision["callId"])

    def end(self, outcome="completed"):
        for step in self._without_verdict:
            self._publish({"type": "step.completed", **step, "outcome": "ok"})
        self._publish({"type": "session.ended", "outcome": outcome})
        self._producer.flush(10)
        self._consumer.close()

    def _decision_on(self, event):
        for _ in range(HEALS_MAX):
            decision = self._wait(self.timeout, lambda it: it["eventId"] == event["id"])
            missing = missing_from(decision, event)
            if missing is None:
                return decision
            if codes_of(decision) & {"quota_exceeded"}:
                time.sleep(1)
            # The same number with a new id, so that a late refusal of the first is not taken for the answer to the second.
            event["id"] = new_id()
            for earlier in self._sent[missing:]:
                self._send(earlier)
        return decision

    def _publish(self, body):
        event = {
            "schema": 1,
            "id": new_id(),
            "sessionId": self.id,
            "producer": self._producer_name,
            "seq": len(self._sent),
            "time": int(time.time() * 1000),
            **body,
        }
        self._sent.append(event)
        self._send(event)
        return event

    def _send(self, event):
        self._producer.produce(self._events, key=self.id, value=json.dumps(event).encode("utf-8"))
        self._producer.poll(0)

    def _read_from_end(self, topic):
        """Reads from the topic's present end, before anything is proposed, so that no decision is missed."""
        partitions = self._consumer.list_topics(topic, 10).topics[topic].partitions
        ends = [self._consumer.get_watermark_offsets(TopicPartition(topic, each), 10)[1] for each in partitions]
        self._consumer.assign([TopicPartition(topic, each, end) for each, end in zip(partitions, ends)])

    def _wait(self, seconds, is_wanted):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            message = self._consumer.poll(left)
            self._producer.poll(0)
            if message is None:
                continue
            if message.error():
                raise KafkaException(message.error())
            if message.key() != self.id.encode():
                continue
            decision = json.loads(message.value())
            # Published at least once: the first of each id counts.
            if decision["id"] not in self._seen:
                self._seen.add(decision["id"])
                if is_wanted(decision):
                    return decision
        return None


def may_run(decision):
    """Whether the step may run. In observe mode every step does."""
    return decision["mode"] == "observe" or decision["verdict"] in ("allow", "warn")


def missing_from(decision, event):
    """The number from which the monitor misses events, if it says so and sending them again can help."""
    codes = codes_of(decision)
    if "session_state_lost" in codes:
        return 0
    if "sequence_gap" in codes:
        return decision["expectedSeq"]
    return event["seq"] if "quota_exceeded" in codes else None


def codes_of(decision):
    return {reason["code"] for reason in decision["reasons"]} if decision and decision["kind"] == "refusal" else set()


def new_id():
    return f"e-{uuid.uuid4()}"
