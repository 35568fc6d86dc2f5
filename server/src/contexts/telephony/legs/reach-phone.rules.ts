/** Where and over which transport a softphone registered. */
interface RegisteredPhone {
  edge: number;
  transport: string;
}

/** The path to a softphone: edge and kind of media. */
export interface PhoneRoute {
  edge: number;
  media: 'plain' | 'srtp' | 'webrtc';
}

const mediaByTransport: Record<string, PhoneRoute['media']> = { tls: 'srtp', ws: 'webrtc', wss: 'webrtc' };

/**
 * Uses the edge where the phone registered, because its NAT binding is open there. If that edge is silent, uses another
 * one, which looks up where the phone is registered now.
 */
export function choosePhoneRoute(
  { edge, transport }: RegisteredPhone,
  edgesSeen: readonly number[],
): PhoneRoute {
  const isSeen = edgesSeen.includes(edge);
  return { edge: isSeen ? edge : (edgesSeen[0] ?? edge), media: mediaByTransport[transport] ?? 'plain' };
}
