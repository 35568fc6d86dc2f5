import type { Session } from '../../../api/session.ts';

export type StepName = 'email' | 'credit' | 'extension' | 'phone' | 'call' | 'webhook' | 'live';

export interface Step {
  name: StepName;
  isDone: boolean;
}

const ofUsers: readonly StepName[] = ['email', 'extension', 'phone', 'call'];

/** Returns the first steps of the user and which are done. Only test accounts can ask for live mode. */
export function firstSteps(session: Session, phoneExtensionId: number | null | undefined): Step[] {
  const { user, account, credit, extensions } = session;
  const done: Record<StepName, boolean> = {
    email: user.emailVerified,
    credit: (credit?.available ?? 0) > 0,
    extension: extensions.length > 0,
    phone: extensions.some(({ id }) => id === phoneExtensionId),
    call: session.firstSteps.called,
    webhook: session.firstSteps.webhook,
    live: account.liveRequestedAt !== null,
  };
  const names = (Object.keys(done) as StepName[]).filter(
    (name) =>
      (user.role === 'ADMIN' || ofUsers.includes(name)) && (name !== 'live' || account.mode === 'test'),
  );
  return names.map((name) => ({ name, isDone: done[name] }));
}

/** Whether the steps are of use: until all are done, or until the first call of a live account or of a USER. */
export function areShown(session: Session, steps: Step[]): boolean {
  const isStarted = session.user.role === 'USER' || session.account.mode === 'live';
  return steps.some(({ isDone }) => !isDone) && !(isStarted && session.firstSteps.called);
}

/** The step whose button stands out. The extension is created with the phone. */
export const nextStep = (steps: Step[]): StepName | undefined =>
  steps.find(({ name, isDone }) => !isDone && name !== 'extension')?.name;
