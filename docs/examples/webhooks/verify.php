<?php
// Receives webhooks and believes only those that are signed with your secret.
// DISCA_SECRET=whsec_... php -S 0.0.0.0:8080 verify.php

const TOLERANCE_SECONDS = 300;

// $headers have lower-case names; $body is the raw body, before anything has parsed it.
function verify(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || !ctype_digit($timestamp) || $signatures === '') {
        return false;
    }
    // One that is old may have been recorded and sent again by somebody else.
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    // While the secret is being rotated there are two signatures, one by each secret.
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
// Store it under its webhook-id, which a retry has again, and work on it after you have answered.
header('x-event-type: ' . $event['eventType']);
http_response_code(204);
