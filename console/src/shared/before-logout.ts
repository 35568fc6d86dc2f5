/** Between whoever logs a person out and those who have something to give back before, which know nothing of each other. */
interface Leaver {
  leave(): Promise<void>;
  /** The person stays after all. */
  stay(): void;
}

const leavers = new Set<Leaver>();
/** What cannot be given back in this time ends with the session. */
const patienceMs = 3_000;

export function onLeaving(leaver: Leaver): () => void {
  leavers.add(leaver);
  return () => leavers.delete(leaver);
}

/** Gives everything back and then leaves; if that fails everything goes on. */
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
