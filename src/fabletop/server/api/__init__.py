"""The HTTP and WebSocket side: routes, handlers, queries, the socket, and the OpenAPI description."""
