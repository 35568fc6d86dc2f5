/** How long to wait for further candidates; a slow STUN or TURN server would delay the call. */
const furtherMs = 300;

interface Gathered {
  candidate: { candidate: string };
  /** Ends gathering. */
  ready: () => void;
}

/**
 * Ends ICE gathering when no candidate arrives for 300 ms, but not before there is one that the media node can use: it
 * needs an address for UDP. Without one it never completes ICE, and neither party hears anything.
 */
export function limitIceGathering(): (gathered: Gathered) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUsable = false;
  return ({ candidate, ready }) => {
    clearTimeout(timer);
    isUsable ||= hasUdpAddress(candidate.candidate);
    if (isUsable) timer = setTimeout(ready, furtherMs);
  };
}

/** Returns whether a candidate is for UDP and has an address, not a name that only the local network knows. */
function hasUdpAddress(candidate: string): boolean {
  const [, protocol, address] = /^candidate:\S+ \d+ (\S+) \d+ (\S+) /i.exec(candidate) ?? [];
  return protocol?.toLowerCase() === 'udp' && address !== undefined && !address.endsWith('.local');
}
