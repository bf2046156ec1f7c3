"""A scripted model, whatever the framework: turns of tool calls, then a text. And the tools that it calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CUSTOMER = "Case KX-48217: Ann Moor, account 7730194422, owes 1,240."
LEAK = ("send_email", {"to": "press@example.org", "body": "Ann Moor (KX-48217) has not paid."})
READ = ("get_customer", {"id": 7})
REFUND = ("refund_everyone", {"amount": 12})

ToolCall = tuple[str, dict[str, Any]]


@dataclass
class Script:
    """`before`, by the number of a turn: what happens before the model takes it."""

    turns: list[list[ToolCall]]
    before: dict[int, Callable[[], None]] = field(default_factory=dict)
    final: str = "done"
    taken: int = 0

    def next(self) -> list[ToolCall]:
        """The calls of the next turn; none: the model answers `final`."""
        turn, self.taken = self.taken, self.taken + 1
        self.before.get(turn, lambda: None)()
        return self.turns[turn] if turn < len(self.turns) else []


@dataclass
class Transcript:
    #: What the model got for each of its calls, in order.
    answers: list[str]
    final: str


@dataclass
class Tools:
    """What ran, with which arguments."""

    ran: list[ToolCall] = field(default_factory=list)

    def get_customer(self, id: int) -> str:
        """Returns a customer's file."""
        self.ran.append(("get_customer", {"id": id}))
        return CUSTOMER

    def send_email(self, to: str, body: str) -> str:
        """Sends an e-mail."""
        self.ran.append(("send_email", {"to": to, "body": body}))
        return f"sent to {to}"

    def refund_everyone(self, amount: int) -> str:
        """Refunds an amount to all customers."""
        self.ran.append(("refund_everyone", {"amount": amount}))
        return f"refunded {amount}"

    def read_file(self, path: str) -> str:
        """Reads a file."""
        self.ran.append(("read_file", {"path": path}))
        raise ToolFailed(f"cannot parse {path}: {CUSTOMER}")

    def all(self) -> list[Callable[..., str]]:
        return [self.get_customer, self.send_email, self.refund_everyone, self.read_file]


class ToolFailed(Exception):
    pass
