/**
 * From now on, the connections of this page know a UDP candidate, and that gathering is complete, only after this time,
 * as on a busy machine. TCP candidates are known at once.
 */
export function delayUdpCandidates(ms: number): void {
  const known = new WeakMap<RTCPeerConnection, Set<string>>();
  const { prototype } = RTCPeerConnection;
  const { addEventListener: listen } = prototype;
  const described = Object.getOwnPropertyDescriptor(prototype, 'localDescription')?.get;
  const gathering = Object.getOwnPropertyDescriptor(prototype, 'iceGatheringState')?.get;
  const startedAt = new WeakMap<RTCPeerConnection, number>();

  Object.defineProperty(prototype, 'localDescription', {
    get(this: RTCPeerConnection) {
      const full = described?.call(this) as RTCSessionDescription | null;
      const lines = full?.sdp.split('\r\n').filter((line) => {
        const candidate = /^a=(candidate:.*)/.exec(line)?.[1];
        return candidate === undefined || known.get(this)?.has(keyOf(candidate));
      });
      return full && lines && new RTCSessionDescription({ type: full.type, sdp: lines.join('\r\n') });
    },
  });
  Object.defineProperty(prototype, 'iceGatheringState', {
    get(this: RTCPeerConnection) {
      const state = gathering?.call(this) as RTCIceGatheringState;
      const isLate = performance.now() - (startedAt.get(this) ?? 0) < ms * 2;
      return state === 'complete' && isLate ? 'gathering' : state;
    },
  });
  prototype.addEventListener = function delayed(
    this: RTCPeerConnection,
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ) {
    const tell = (event: Event): void =>
      typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event);
    const later = (event: Event): void => {
      if (!startedAt.has(this)) startedAt.set(this, performance.now());
      const found = event instanceof RTCPeerConnectionIceEvent ? event.candidate : null;
      const isPrompt = found?.protocol === 'tcp';
      setTimeout(
        () => {
          if (found) known.set(this, (known.get(this) ?? new Set()).add(keyOf(found.candidate)));
          tell(event);
        },
        isPrompt ? 0 : found ? ms : ms * 2,
      );
    };
    const isIce = type === 'icecandidate' || type === 'icegatheringstatechange';
    listen.call(this, type, isIce ? later : listener, options);
  } as typeof prototype.addEventListener;
}

/** The part of a candidate that is the same in events and descriptions: up to its port. */
const keyOf = (candidate: string): string => candidate.split(' ').slice(0, 6).join(' ');
