/** The result of a webhook request: delivered, or the stage and kind of failure. */
export const outcomes = [
  'delivered',
  // The address of the endpoint is not public.
  'forbidden_address',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'connection_lost',
  'timeout',
  // Responded with a status other than 2xx.
  'bad_status',
  // Responded with 410: the endpoint accepts no more webhooks.
  'gone',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface SendResult {
  outcome: Outcome;
  status: number | null;
  /** Human-readable details of the failure. */
  detail: string | null;
  /** IP address of the endpoint. */
  address: string | null;
  /** Start of the response body. */
  responseBody: string | null;
  durationMs: number;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Called after every attempt. Must not block or throw. */
export interface DeliveryObserver {
  deliveryAttempted(delivery: ObservedDelivery, attempt: ObservedAttempt): void;
}

interface ObservedDelivery {
  id: string;
  type: string;
  subjectId: string;
  occurredAt: Date;
}

interface ObservedAttempt extends Pick<SendResult, 'outcome' | 'status' | 'durationMs'> {
  number: number;
  at: Date;
}

/** Never throws: every failure is a result. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<SendResult>;
  close(): Promise<void>;
}
