import { Refusal } from '../../platform/errors.ts';
import type { Book } from '../billing/index.ts';
import { type GatewayName, GatewayRefused, GatewayUnavailable, type PaymentGateway } from './gateway.ts';

/** The gateways that are set up: the sandbox for test accounts and for them only, the real one for live ones. */
export interface Gateways {
  of(book: Book): PaymentGateway;
  named(name: GatewayName): PaymentGateway | undefined;
}

export function createGateways(sandbox: PaymentGateway, live: PaymentGateway | undefined): Gateways {
  return {
    of(book) {
      const gateway = book === 'test' ? sandbox : live;
      if (gateway) return gateway;
      throw new Refusal('PAYMENTS_UNAVAILABLE', 'This service has no payment gateway for live accounts.', {
        retryAfterSeconds: 3600,
      });
    },
    named: (name) => [sandbox, live].find((gateway) => gateway?.name === name),
  };
}

/** What a client is told when the gateway says no or nothing. */
export function gatewayRefusal(error: unknown): unknown {
  if (error instanceof GatewayRefused) {
    return new Refusal('VALIDATION_ERROR', `The payment gateway refused: ${error.message}`, {
      details: [{ path: '', code: 'gateway_refused', message: error.message }],
    });
  }
  if (error instanceof GatewayUnavailable) {
    return new Refusal(
      'PAYMENTS_UNAVAILABLE',
      'The payment gateway does not answer right now. Please try again shortly.',
      {
        retryAfterSeconds: error.retryAfterSeconds,
        cause: error,
      },
    );
  }
  return error;
}
