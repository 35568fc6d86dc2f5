import { useSyncExternalStore } from 'react';
import { type Command, initialState, type PhoneState } from './state.ts';

/** The phone itself, in the tab that has it. */
export interface Engine {
  command(command: Command): void;
  /** The service tells that a call of this person began or ended. */
  onLiveCall(kind: 'began' | 'ended', call: LiveCall): void;
  stop(): void;
  /** Ends the call and the registration, and is done when the service knows. */
  giveBack(): Promise<void>;
  /** Takes back what was given. */
  resume(): void;
}

export interface LiveCall {
  id: string;
  caller: string;
  called: string;
}

/** What tabs tell each other: one of them is the phone, all of them show it. */
type Told = { kind: 'state'; state: PhoneState } | { kind: 'command'; command: Command } | { kind: 'hello' };

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

const againMs = 10_000;

/** Makes this tab the phone as soon as no other one is, after this wait. Returns how to stop. */
export function joinTabs(name: string, startEngine: StartEngine, waitMs = 0): () => void {
  const channel = new BroadcastChannel(name);
  const stopping = new AbortController();
  const { signal } = stopping;
  show(initialState, false);
  const tell = (told: Told): void => channel.postMessage(told);
  const update = (change: Partial<PhoneState>): void => {
    if (signal.aborted) return;
    show({ ...state, ...change }, true);
    tell({ kind: 'state', state });
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (isLeader) {
      if (data.kind === 'hello') tell({ kind: 'state', state });
      if (data.kind === 'command') current?.command(data.command);
    } else if (data.kind === 'state') show(data.state, false);
  };
  tell({ kind: 'hello' });
  send = (command) => (isLeader ? current?.command(command) : tell({ kind: 'command', command }));
  const lead = async (): Promise<void> => {
    // A call ends with the tab that had it.
    show({ ...state, call: undefined, line: 'starting' }, true);
    tell({ kind: 'state', state });
    const engine = await startEngine(update).catch(() => undefined);
    if (!engine) {
      // What it is made of did not come. Another tab may have it.
      update({ line: 'lost' });
      show(state, false);
      setTimeout(apply, againMs);
      return;
    }
    current = engine;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    engine.stop();
    current = undefined;
  };
  const apply = (): void => {
    if (!signal.aborted) navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  };
  setTimeout(apply, waitMs);
  return () => {
    stopping.abort();
    channel.close();
    send = () => undefined;
    show(initialState, false);
  };
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

export const usePhoneState = (): PhoneState => useSyncExternalStore(watch, () => state);
/** Whether the phone is in this very tab. */
export const useIsPhoneTab = (): boolean => useSyncExternalStore(watch, () => isLeader);
export const tellPhone = (command: Command): void => send(command);
export const engineHere = (): Engine | undefined => current;
