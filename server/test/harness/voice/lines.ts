import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import { setCaps } from '../../../src/contexts/calls/index.ts';
import { openOperator } from '../operator.ts';
import type { TestAccount } from '../people.ts';
import { until } from '../until.ts';
import type { VoicePlatform } from './voice-platform.ts';

let numbers = 0;

/** Returns a unique mobile number; its last two digits select the simulated carrier's behaviour. */
export function numberEnding(ending: string, areaCode = '11'): string {
  numbers += 1;
  return `55${areaCode}9${800_000 + numbers}${ending}`;
}

/** Lets an account place many concurrent calls. */
export const liftCaps = (platform: VoicePlatform, account: TestAccount): Promise<void> =>
  capCalls(platform, account, { callsPerSecond: 1_000, concurrentCalls: 1_000 });

export async function capCalls(
  platform: VoicePlatform,
  { id }: TestAccount,
  caps: Parameters<typeof setCaps>[2],
): Promise<void> {
  const operator = openOperator(platform);
  await setCaps(operator, id, caps);
  await operator.close();
}

/** Returns the legs of a call at the simulated carrier. */
export const atCarrier = ({ engines }: VoicePlatform, callId: string): SimulatedCall[] =>
  engines.simulator.carrierCalls().filter((call) => call.callId === callId);

/** Returns the leg of a call at its softphone. */
export const atPhone = ({ engines }: VoicePlatform, callId: string): SimulatedCall | undefined =>
  engines.simulator.phoneCalls().find((call) => call.callId === callId);

export const whenPhoneRings = (platform: VoicePlatform, callId: string): Promise<SimulatedCall> =>
  until(async () => atPhone(platform, callId), 'the softphone rings');

export const whenCarrierRings = (platform: VoicePlatform, callId: string): Promise<SimulatedCall> =>
  until(async () => atCarrier(platform, callId)[0], 'the carrier receives the call');

/** Waits until the other sides, not only our records, have ended all legs. */
export const whenReleased = (platform: VoicePlatform, callId: string): Promise<unknown> =>
  until(async () => {
    const legs = [atPhone(platform, callId), ...atCarrier(platform, callId)];
    return legs.every((leg) => leg === undefined || leg.endedAtMs !== undefined);
  }, 'all legs are released');

/** Returns the engine's current channels. */
export async function listChannels({ engines }: VoicePlatform): Promise<string[]> {
  const { body } = await engines.node.ask('GET', '/channels');
  return (body as { id: string }[]).map(({ id }) => id);
}

/** Downloads a recording link without a token. */
export async function listenTo({ app }: VoicePlatform, url: string) {
  const { pathname, search } = new URL(url);
  const answer = await app.inject({ method: 'GET', url: pathname + search });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    audio: answer.rawPayload,
    errorCode: isJson ? (answer.json().error.errorCode as string) : undefined,
  };
}
