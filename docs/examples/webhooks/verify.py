# Receives webhooks and verifies their signatures.
# DISCA_SECRET=whsec_... PORT=8080 python3 verify.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


# `body` is the raw, unparsed body as bytes.
def verify(secret, headers, body):
    message_id = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    if not message_id or not timestamp or not signatures or not timestamp.isdecimal():
        return False
    # Reject old messages: they may be replayed by an attacker.
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a secret rotation there are two signatures, one per secret.
    return any(hmac.compare_digest(each.encode(), expected) for each in signatures.split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not verify(os.environ["DISCA_SECRET"], self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        event = json.loads(body)
        # Store the event by its webhook-id (retries have the same one), respond, and process it afterwards.
        self.send_response(204)
        self.send_header("x-event-type", event["eventType"])
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
