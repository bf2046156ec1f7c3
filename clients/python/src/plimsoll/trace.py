"""The W3C trace context of a step, from OpenTelemetry's active span if that library is in use."""

from __future__ import annotations

import sys


def current_trace() -> dict[str, str] | None:
    api = sys.modules.get("opentelemetry.trace")
    if api is None:
        return None
    context = api.get_current_span().get_span_context()
    if not context.is_valid:
        return None
    trace = {"traceparent": f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"}
    state = context.trace_state.to_header()
    return {**trace, "tracestate": state} if state and len(state) <= 512 else trace
