"""The room server: one machine, one process, over HTTP and WebSocket."""
