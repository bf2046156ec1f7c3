#!/usr/bin/env bash
# Checks each step at a gateway with curl only: an agent reads about a customer and mails what it read.
# The gateway is $GATEWAY, the principal's API key $GATEWAY_KEY: docs/reference/http.md.
set -euo pipefail

# The key is passed in a file, so that it is not in the list of processes.
ask() {
  curl --silent --show-error --fail-with-body --max-time 60 --retry 3 --retry-connrefused \
    --header @<(echo "authorization: Bearer $GATEWAY_KEY") --header 'content-type: application/json' \
    --data @- "${GATEWAY:-http://127.0.0.1:9465}$1"
}
may_run() { grep --quiet '"mayRun":true'; }

# With its own call id, a request can be sent again safely.
run="run-$RANDOM$RANDOM"
user='{"user":"ann"'

answer=$(ask /v1/check <<<"$user,\"category\":\"data_handling\",\"callId\":\"$run-1\",\"tool\":\"get_customer\",\"arguments\":{\"id\":7}}")
echo "get_customer: $answer"
if may_run <<<"$answer"; then
  customer='Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
  ask /v1/complete <<<"$user,\"callId\":\"$run-1\",\"result\":\"$customer\"}"
fi

mail='{"to":"press@example.org","body":"Ann Moor (KX-48217) has not paid."}'
answer=$(ask /v1/check <<<"$user,\"callId\":\"$run-2\",\"tool\":\"send_email\",\"arguments\":$mail}")
echo "send_email: $answer"
if may_run <<<"$answer"; then echo 'sent'; else echo 'not sent'; fi

ask /v1/end <<<"$user}"
