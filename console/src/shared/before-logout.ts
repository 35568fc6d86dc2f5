/** Cleanup that must run before logout, such as unregistering the phone. Decouples the logout code from features. */
interface Leaver {
  leave(): Promise<void>;
  /** Called when the logout failed. */
  stay(): void;
}

const leavers = new Set<Leaver>();
/** Logout proceeds after this long; the session end cleans up the rest. */
const patienceMs = 3_000;

export function onLeaving(leaver: Leaver): () => void {
  leavers.add(leaver);
  return () => leavers.delete(leaver);
}

/** Runs all cleanups, then logs out. If the logout fails, undoes the cleanups. */
export async function leaving<Result>(leave: () => Promise<Result>): Promise<Result> {
  const all = [...leavers];
  const waiting = new Promise((resolve) => setTimeout(resolve, patienceMs));
  await Promise.race([Promise.allSettled(all.map((each) => each.leave())), waiting]);
  try {
    return await leave();
  } catch (error) {
    for (const each of all) each.stay();
    throw error;
  }
}
