"""The answer to a proposed step, what it says to the model that proposed it, and the errors that carry it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .errors import PlimsollError

Verdict = Literal["allow", "warn", "confirm", "block"]
VERDICTS: Mapping[str, Verdict] = {"allow": "allow", "warn": "warn", "confirm": "confirm", "block": "block"}
AnsweredBy = Literal["decision", "fail_open", "fail_closed", "observe"]

#: A decision of a monitor. Its members: docs/reference/schemas/decision.json.
Decision = Mapping[str, Any]

#: Reasons in one message; the decision has all of them.
REASONS_MAX = 5

UNDOING = {
    "reversible": "it can be undone",
    "partial": "it can be undone in part",
    "irreversible": "it cannot be undone",
}

ACTS = {
    "delete": "delete",
    "overwrite": "overwrite",
    "pay": "pay",
    "publish": "publish",
    "send": "send something",
    "grant": "grant access",
    "credential": "change a secret",
}


@dataclass(frozen=True)
class Answer:
    """Whether a step may run. Run it only if `may_run` is true, with exactly the arguments that were proposed."""

    call_id: str
    tool: str
    verdict: Verdict
    #: True for allow and warn, and for every verdict in mode `observe`.
    may_run: bool
    #: What gave the answer: a decision, the fail mode, or neither because the client only observes.
    by: AnsweredBy
    #: The decision; after an expired approval request, the decision that made it.
    decision: Decision | None = None
    #: Why no verdict came, if none did.
    cause: str | None = None

    @property
    def needs_approval(self) -> bool:
        """Whether the step waits for a human."""
        return self.by == "decision" and self.verdict == "confirm" and not self.may_run

    @property
    def decision_id(self) -> str | None:
        """What a human passes to `plimsoll approve`."""
        return None if self.decision is None else str(self.decision["id"])

    @property
    def reasons(self) -> list[str]:
        """The messages of the reasons that count for the verdict."""
        if self.decision is None:
            return []
        counted = (r for r in self.decision["reasons"] if r.get("liftedBy") is None and r["verdict"] == self.verdict)
        return list(dict.fromkeys(str(reason["message"]) for reason in counted))[:REASONS_MAX]

    @property
    def message(self) -> str:
        """One line for the model: whether its step may run, why, and what to do instead."""
        if self.may_run:
            return f"`{self.tool}` may run"
        alternative = (self.decision or {}).get("alternative")
        instead = "" if alternative is None else f"; instead: {alternative}"
        return f"`{self.tool}` {self._status()}{instead}"

    def _status(self) -> str:
        if self.by == "fail_closed":
            late = "it was not approved in time" if self.decision else self.cause or "no verdict came"
            return f"was not run: {late}"
        if not self.needs_approval:
            return f"was blocked: {'; '.join(self.reasons)}" if self.reasons else "was blocked"
        why = "; ".join([*self.reasons, *self._effects()])
        todo = f"a human can approve it with plimsoll approve '{self.decision_id}'; then make the same call again"
        return f"waits for approval: {why}; not run yet: {todo}"

    def _effects(self) -> list[str]:
        """What a step that waits for approval may destroy."""
        approval = (self.decision or {}).get("approval")
        if approval is None:
            return []
        acts = ", ".join(ACTS.get(act, act) for act in approval["acts"])
        is_known = approval["isLabelled"] or approval["reversibility"] == "irreversible"
        effects = [f"by its name or arguments it may {acts}"] if acts else []
        effects += [UNDOING[approval["reversibility"]]] if is_known else []
        return effects or ["whether it is destructive is unknown"]

    def raise_if_blocked(self) -> None:
        """Raises `ApprovalRequired` or `StepBlocked` if the step may not run."""
        if not self.may_run:
            raise (ApprovalRequired if self.needs_approval else StepBlocked)(self)


class StepBlocked(PlimsollError):
    """The step may not run. The message is meant for the model that proposed it."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("step_blocked", answer.message)
        self.answer = answer


class ApprovalRequired(StepBlocked):
    """The step waits for a human. Once it is approved, the same call runs: make it again."""


def is_runnable(decision: Decision) -> bool:
    return decision["mode"] == "observe" or decision["verdict"] in ("allow", "warn")


def answer_of(decision: Decision) -> Answer:
    """The answer that `decision` gives. An unknown verdict counts as a block."""
    return Answer(
        call_id=decision["callId"],
        tool=decision["tool"],
        verdict=VERDICTS.get(decision["verdict"], "block"),
        may_run=is_runnable(decision),
        by="decision",
        decision=decision,
    )


@dataclass
class Stats:
    """Counts since the client was connected."""

    #: Proposals made.
    proposed: int = 0
    #: Those that a decision answered.
    decided: int = 0
    #: Those that ran at once because the client only observes.
    observed: int = 0
    #: Those that the fail mode answered.
    failed_open: int = 0
    failed_closed: int = 0
    #: Approval requests that expired.
    expired: int = 0
    #: Decisions that arrived after the fail mode or an expiry.
    late: int = 0
    #: Frames that had to be sent again.
    retried: int = 0
    #: Events sent again to fill a gap.
    resent: int = 0
    #: Completions of `run` and of adapters that could not be reported.
    unreported: int = 0
    #: Events that wait to be sent.
    queued: int = 0
