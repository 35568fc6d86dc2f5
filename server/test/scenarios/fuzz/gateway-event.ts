import {
  notificationSchema,
  signatureHeader,
  signatureOf,
} from '../../../src/contexts/sandbox/notification.ts';
import type { Api } from '../../../src/main/wire.ts';
import type { WireRequest } from './request-plan.ts';

/** What has the form of a report is signed; everything else goes out as it is. */
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
