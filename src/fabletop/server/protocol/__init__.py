"""What server and clients say to each other: message types, HTTP responses, errors."""
