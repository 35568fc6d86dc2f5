<?php
// Receives webhooks and verifies their signatures.
// DISCA_SECRET=whsec_... php -S 0.0.0.0:8080 verify.php

const TOLERANCE_SECONDS = 300;

// $headers have lower-case names; $body is the raw, unparsed body.
function verify(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || !ctype_digit($timestamp) || $signatures === '') {
        return false;
    }
    // Reject old messages: they may be replayed by an attacker.
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    // During a secret rotation there are two signatures, one per secret.
    foreach (explode(' ', $signatures) as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}

$headers = [
    'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
];
$body = file_get_contents('php://input');
if (!verify(getenv('DISCA_SECRET'), $headers, $body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Store the event by its webhook-id (retries have the same one), respond, and process it afterwards.
header('x-event-type: ' . $event['eventType']);
http_response_code(204);
