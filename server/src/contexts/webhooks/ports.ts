/** What came of a request to somebody else's server: delivered, or what went wrong at which stage. */
export const outcomes = [
  'delivered',
  // The address is one that is never called.
  'forbidden_address',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'connection_lost',
  'timeout',
  // It answered, and not with 2xx.
  'bad_status',
  // It answered 410: nobody wants this any more.
  'gone',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface SendResult {
  outcome: Outcome;
  status: number | null;
  /** For a person: what exactly went wrong. */
  detail: string | null;
  /** The address that was connected to. */
  address: string | null;
  /** How the answer began. */
  responseBody: string | null;
  durationMs: number;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Is told of every attempt, after it was made. It must neither wait nor throw. */
export interface DeliveryWatch {
  deliveryAttempted(delivery: WatchedDelivery, attempt: WatchedAttempt): void;
}

interface WatchedDelivery {
  id: string;
  type: string;
  subjectId: string;
  occurredAt: Date;
}

interface WatchedAttempt extends Pick<SendResult, 'outcome' | 'status' | 'durationMs'> {
  number: number;
  at: Date;
}

/** Never throws: whatever happens is a result. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<SendResult>;
  close(): Promise<void>;
}
