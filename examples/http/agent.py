"""An agent that reads about a customer and mails what it read. A gateway checks each step: docs/reference/http.md."""

import os
import sys

from gateway import Blocked, Session


def get_customer(id):
    return f"Case KX-4821{id}: Ann Moor, account 7730194422, owes 1,240."


def send_email(to, body):
    return f"sent to {to}"


# Each tool with its capability, which decides when no gateway answers.
TOOLS = {"get_customer": (get_customer, "read"), "send_email": (send_email, "network")}

PLAN = [
    ("get_customer", {"id": 7}),
    ("send_email", {"to": "press@example.org", "body": "Ann Moor (KX-48217) has not paid."}),
    ("send_email", {"to": "press@example.org", "body": "All is well."}),
]


def main():
    patience = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    session = Session(
        os.environ.get("GATEWAY", "http://127.0.0.1:9465"),
        os.environ["GATEWAY_KEY"],
        category="data_handling",
        user="ann",
    )
    for tool, arguments in PLAN:
        function, capability = TOOLS[tool]
        try:
            print(f"{tool}: {session.run(tool, function, arguments, capability, patience)}")
        except Blocked as blocked:
            print(f"{tool}: not run. {blocked}")
    session.end()


main()
