import {
  notificationSchema,
  signatureHeader,
  signatureOf,
} from '../../../src/contexts/sandbox/notification.ts';
import type { Api } from '../../../src/main/wire.ts';
import type { WireRequest } from './request-plan.ts';

/** Signs bodies with the shape of a notification; leaves all others unchanged. */
export function signGatewayEvent({ base }: Api, request: WireRequest): void {
  const report = notificationSchema.safeParse(parsed(request.raw ?? ''));
  if (report.success) request.headers[signatureHeader] = signatureOf(base, report.data);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
