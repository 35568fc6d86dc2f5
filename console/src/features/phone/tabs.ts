import { useSyncExternalStore } from 'react';
import { joinTabGroup } from '../../shared/tabs/tab-group.ts';
import { type Command, initialState, type PhoneState } from './state.ts';

/** The phone in the leader tab. */
export interface Engine {
  command(command: Command): void;
  /** Reports a live event of a call of this user. */
  onLiveCall(kind: LiveCallKind, call: CallSnapshot): void;
  stop(): void;
  /** Ends the call and the registration. Resolves when the server has confirmed. */
  release(): Promise<void>;
  /** Registers again after `release`. */
  resume(): void;
}

export type LiveCallKind = 'began' | 'alerting' | 'answered' | 'ended';

export interface CallSnapshot {
  id: string;
  caller: string;
  called: string;
  answeredAtIso?: string | null;
  hangupCause?: string | null;
  duration?: number;
}

/** Messages between tabs: the leader runs the phone, and all tabs show and control it. */
type TabMessage = { kind: 'state'; state: PhoneState } | { kind: 'command'; command: Command };

export type StartEngine = (update: (change: Partial<PhoneState>) => void) => Promise<Engine>;

let state = initialState;
let isLeader = false;
let send: (command: Command) => void = () => undefined;
let current: Engine | undefined;
const watchers = new Set<() => void>();

function show(next: PhoneState, leads: boolean): void {
  state = next;
  isLeader = leads;
  for (const watcher of watchers) watcher();
}

const retryMs = 10_000;

/** Runs the phone in this tab when no other tab does, after this delay. Returns a function that stops it. */
export function joinTabs(name: string, startEngine: StartEngine, waitMs = 0): () => void {
  show(initialState, false);
  const snapshot = (): TabMessage => ({ kind: 'state', state });
  const receive = (message: TabMessage): void => {
    if (message.kind === 'command' && isLeader) current?.command(message.command);
    if (message.kind === 'state' && !isLeader) show(message.state, false);
  };
  const lead = async (signal: AbortSignal): Promise<void> => {
    const update = (change: Partial<PhoneState>): void => {
      if (signal.aborted) return;
      show({ ...state, ...change }, true);
      group.send(snapshot());
    };
    // The call of the previous leader has ended with its tab.
    update({ call: undefined, line: 'starting' });
    const engine = await startEngine(update).catch(() => undefined);
    if (!engine) {
      // The phone's code could not be loaded in this tab; another tab may have loaded it.
      update({ line: 'lost' });
      show(state, false);
      group.requestLeadership(retryMs);
      return;
    }
    current = engine;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    engine.stop();
    current = undefined;
  };
  const group = joinTabGroup<TabMessage>(name, { snapshot, receive, lead });
  send = (command) => (isLeader ? current?.command(command) : group.send({ kind: 'command', command }));
  group.requestLeadership(waitMs);
  return () => {
    group.leave();
    send = () => undefined;
    show(initialState, false);
  };
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

export const usePhoneState = (): PhoneState => useSyncExternalStore(watch, () => state);
/** Whether this tab runs the phone. */
export const useIsPhoneTab = (): boolean => useSyncExternalStore(watch, () => isLeader);
export const sendCommand = (command: Command): void => send(command);
export const localEngine = (): Engine | undefined => current;
