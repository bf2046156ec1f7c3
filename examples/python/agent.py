"""An agent that reads a customer's file and then tries to e-mail it. No step is unsafe; the sequence is.

    pip install -r requirements.txt
    KAFKA_BROKERS=127.0.0.1:9092 python agent.py            does not wait for approvals
    KAFKA_BROKERS=127.0.0.1:9092 python agent.py --wait 60  waits for `plimsoll approve`
"""

import argparse
import os

from session import FAIL_OPEN, Session, may_run

TOOLS = {
    "get_customer": ("read", lambda id: {"id": id, "name": "Ada Example", "iban": "XX00 0000 0000"}),
    "send_email": ("network", lambda to, body: f"sent to {to}"),
}


def call_tool(session, tool, arguments, wait=0, evidence="unknown"):
    """Runs a tool call if the decision permits it."""
    capability, run = TOOLS[tool]
    decision = session.propose(tool, arguments, capability, evidence)
    show(tool, decision)
    if decision is None:
        return run(**arguments) if capability in FAIL_OPEN else None
    if decision["verdict"] == "confirm" and not may_run(decision) and wait > 0:
        print(f"  asks: plimsoll approve '{decision['id']}' --by NAME", flush=True)
        decision = session.resolution(decision, wait) or decision
        show(tool, decision)
    if not may_run(decision):
        return None
    result = run(**arguments)
    session.complete(decision)
    return result


def show(tool, decision):
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
        # An approver must see the e-mail.
        disclose={"send_email"},
    )
    session.start(category="data_handling", agent="example")
    customer = call_tool(session, "get_customer", {"id": 7})
    mail = {"to": "someone@example.org", "body": str(customer)}
    # It is unknown whether the file is in the mail, so a human is asked.
    call_tool(session, "send_email", mail, wait=options.wait)
    # The host reports that it is: blocked, without a question.
    call_tool(session, "send_email", mail, evidence="present")
    session.end()


if __name__ == "__main__":
    main()
