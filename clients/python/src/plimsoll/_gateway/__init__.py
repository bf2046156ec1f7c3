"""The protocol of the gateway's WebSocket. Everything here runs on one event loop, in a thread of its own."""
