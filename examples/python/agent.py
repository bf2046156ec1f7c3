"""An agent that reads a customer's file and then tries to e-mail it. No step of it is unsafe; the sequence is.

    pip install -r requirements.txt
    KAFKA_BROKERS=127.0.0.1:9092 python agent.py            goes on without asking anybody
    KAFKA_BROKERS=127.0.0.1:9092 python agent.py --wait 60  waits for `plimsoll approve` where a human is asked
"""

import argparse
import os

from session import FAIL_OPEN, Session, may_run

TOOLS = {
    "get_customer": ("read", lambda id: {"id": id, "name": "Ada Example", "iban": "XX00 0000 0000"}),
    "send_email": ("network", lambda to, body: f"sent to {to}"),
}


def call_tool(session, tool, arguments, wait=0, evidence="unknown"):
    """Every tool call of the agent goes through here: it runs when the answer says that it may."""
    capability, run = TOOLS[tool]
    decision = session.propose(tool, arguments, capability, evidence)
    tell(tool, decision)
    if decision is None:
        return run(**arguments) if capability in FAIL_OPEN else None
    if decision["verdict"] == "confirm" and not may_run(decision) and wait > 0:
        print(f"  asks: plimsoll approve '{decision['id']}' --by NAME", flush=True)
        decision = session.resolution(decision, wait) or decision
        tell(tool, decision)
    if not may_run(decision):
        return None
    result = run(**arguments)
    session.complete(decision)
    return result


def tell(tool, decision):
    reasons = [reason["message"] for reason in decision["reasons"]] if decision else ["no verdict came in time"]
    print("\n  because ".join([f"{tool}: {decision['verdict'] if decision else 'unanswered'}", *reasons]), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wait", type=float, default=0, help="seconds to wait for a human")
    parser.add_argument("--timeout", type=float, default=5, help="seconds to wait for a verdict")
    options = parser.parse_args()
    session = Session(
        os.environ.get("KAFKA_BROKERS", "127.0.0.1:9092"),
        os.environ.get("PLIMSOLL_TOPIC_PREFIX", "plimsoll"),
        timeout=options.timeout,
        # Whoever approves an e-mail has to see it.
        disclose={"send_email"},
    )
    session.start(category="data_handling", agent="example")
    customer = call_tool(session, "get_customer", {"id": 7})
    mail = {"to": "someone@example.org", "body": str(customer)}
    # Whether the file is in the mail is not known: a human is asked.
    call_tool(session, "send_email", mail, wait=options.wait)
    # A host that has looked says so: blocked, and nobody needs to be asked.
    call_tool(session, "send_email", mail, evidence="present")
    session.end()


if __name__ == "__main__":
    main()
