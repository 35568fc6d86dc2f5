/** Where a softphone registered, and how it spoke there. */
interface RegisteredPhone {
  edge: number;
  transport: string;
}

/** How a call reaches a softphone: through which edge, and with what kind of media. */
export interface WayToPhone {
  edge: number;
  media: 'plain' | 'srtp' | 'webrtc';
}

const mediaBySpeech: Record<string, WayToPhone['media']> = { tls: 'srtp', ws: 'webrtc', wss: 'webrtc' };

/**
 * Through the edge it registered at, whose way through its router is open; if that one is silent, through another, which
 * knows whether the phone has come back elsewhere.
 */
export function wayToPhone({ edge, transport }: RegisteredPhone, edgesSeen: readonly number[]): WayToPhone {
  const isSeen = edgesSeen.includes(edge);
  return { edge: isSeen ? edge : (edgesSeen[0] ?? edge), media: mediaBySpeech[transport] ?? 'plain' };
}
