/** Cleanup that must run before logout, such as unregistering the phone. Decouples the logout code from features. */
interface LogoutHook {
  beforeLogout(): Promise<void>;
  /** Called when the logout failed. */
  onLogoutFailed(): void;
}

const hooks = new Set<LogoutHook>();
/** Logout proceeds after this long; the session end cleans up the rest. */
const timeoutMs = 3_000;

export function onBeforeLogout(hook: LogoutHook): () => void {
  hooks.add(hook);
  return () => hooks.delete(hook);
}

/** Runs all cleanups, then logs out. If the logout fails, undoes the cleanups. */
export async function logOutWith<Result>(logOut: () => Promise<Result>): Promise<Result> {
  const all = [...hooks];
  const timeout = new Promise((resolve) => setTimeout(resolve, timeoutMs));
  await Promise.race([Promise.allSettled(all.map((each) => each.beforeLogout())), timeout]);
  try {
    return await logOut();
  } catch (error) {
    for (const each of all) each.onLogoutFailed();
    throw error;
  }
}
