# Receives webhooks and believes only those that are signed with your secret.
# DISCA_SECRET=whsec_... PORT=8080 python3 verify.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


# `body` is the raw body, as bytes, before anything has parsed it.
def verify(secret, headers, body):
    message_id = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    if not message_id or not timestamp or not signatures or not timestamp.isdecimal():
        return False
    # One that is old may have been recorded and sent again by somebody else.
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While the secret is being rotated there are two signatures, one by each secret.
    return any(hmac.compare_digest(each.encode(), expected) for each in signatures.split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not verify(os.environ["DISCA_SECRET"], self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        event = json.loads(body)
        # Store it under its webhook-id, which a retry has again, and work on it after you have answered.
        self.send_response(204)
        self.send_header("x-event-type", event["eventType"])
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
