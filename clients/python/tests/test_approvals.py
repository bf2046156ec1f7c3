"""A human's program, which lists and answers approval requests."""

from __future__ import annotations

from typing import Any

import plimsoll
import pytest
from conftest import World, eventually


def of_session(queue: plimsoll.ApprovalQueue, session: plimsoll.Session) -> list[plimsoll.ApprovalRequest]:
    return [each for each in queue.open() if each.session_id == session.id]


@pytest.mark.parametrize("answer", ["approve", "deny"])
def test_answers_a_request(answer: str, world: World) -> None:
    with world.connect() as client, plimsoll.ApprovalQueue(world.url, key=world.approverKey) as queue:
        session = client.start_session(category="data_handling")
        asked = session.propose("refund_everyone", {"amount": 12})
        eventually(lambda: len(of_session(queue, session)) == 1)
        (request,) = of_session(queue, session)
        assert (request.decision_id, request.tool) == (asked.decision_id, "refund_everyone")
        assert "no catalogue labels" in request.message
        assert any("amount: 12" in line for line in request.lines), request.lines
        decision: Any = getattr(queue, answer)(request.decision_id, "by the book")
        assert decision["verdict"] == ("allow" if answer == "approve" else "block")
        assert session.wait_for_approval(asked, timeout=20).may_run == (answer == "approve")
        assert of_session(queue, session) == []
        with pytest.raises(plimsoll.PlimsollError, match="waits for no approval") as raised:
            queue.approve(request.decision_id)
        assert raised.value.code == "approval_unknown"


@pytest.mark.parametrize(
    ("over", "code"),
    [
        ({"key": "wrong"}, "unauthenticated"),
        ({"key": "key-of-desk"}, "forbidden"),
        ({"url": "http://127.0.0.1:1"}, "gateway_unavailable"),
        ({"url": "nowhere"}, "gateway_unavailable"),
    ],
)
def test_says_why_it_cannot(over: dict[str, str], code: str, world: World) -> None:
    options = {"url": world.url, "key": world.approverKey, **over}
    with plimsoll.ApprovalQueue(**options) as queue, pytest.raises(plimsoll.PlimsollError) as raised:
        queue.open()
    assert raised.value.code == code
