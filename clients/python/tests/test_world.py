"""Where the agent's programs run, as a host declares it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import World, fails


def test_a_declared_world_stands_beside_each_step(world: World) -> None:
    delete = {"command": "rm -rf /opt/data"}
    declared = {"disposable": True}
    with world.connect() as client:
        with client.start_session(world=declared) as session:
            session.propose("bash", delete)
            session.propose("bash", {"command": "ls"})
        proposed = [each for each in world.sent(session.id) if each["event"]["type"] == "step.proposed"]
        assert [each["texts"]["world"] for each in proposed] == [declared, declared]
        with client.start_session() as bare:
            bare.propose("bash", delete)
        assert all("world" not in each.get("texts", {}) for each in world.sent(bare.id))


LIVE = {"command": "kubectl --context blue scale deploy x --replicas=1"}


def test_a_resumed_session_declares_its_world_again_and_later_changes_do_not_reach_it(world: World) -> None:
    names = ["blue"]
    with world.connect() as client, world.connect() as other:
        session = client.start_session(world={"production": names})
        names.clear()
        assert session.propose("bash", LIVE).needs_approval
        assert other.resume_session(session.id, world={"production": ["blue"]}).propose("bash", LIVE).needs_approval


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ("/srv/app", "expected a mapping"),
        ({"dispossable": True}, "expected one of network, disposable, folder, production"),
        ({"disposable": 1}, "world.disposable"),
        ({"folder": "app"}, "an absolute path"),
        ({"folder": "/srv/../etc"}, "an absolute path"),
        ({"network": {"hosts": []}}, "world.network"),
        ({"network": {"hosts": ["HTTPS://x"]}}, "world.network"),
        ({"production": {"blue"}}, "JSON cannot hold"),
        ({"production": [float("nan")]}, "JSON cannot hold"),
        ({"folder": Path("/srv/app")}, "JSON cannot hold"),
    ],
)
def test_a_wrong_world_is_refused_at_once(world: World, declared: Any, says: str) -> None:
    with world.connect() as client:
        with fails("schema_invalid", says):
            client.start_session(world=declared)
        with fails("schema_invalid", says):
            client.resume_session("a", world=declared)
