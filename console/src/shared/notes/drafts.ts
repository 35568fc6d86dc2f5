import { useCallback, useSyncExternalStore } from 'react';

/** The fields of a note that the user changed and did not save yet, as typed. */
export interface NoteDraft {
  disposition?: string;
  note?: string;
  tags?: string;
}

/** Drafts by user and call, oldest first. All forms of a call show the same one, also after they were closed. */
const drafts = new Map<string, NoteDraft>();
const maxDrafts = 50;
const watchers = new Set<() => void>();
const empty: NoteDraft = {};

const keyOf = (userUuid: string, callId: string): string => `${userUuid} ${callId}`;

export const hasDraft = (userUuid: string, callId: string): boolean => drafts.has(keyOf(userUuid, callId));

export function useDraft(userUuid: string, callId: string) {
  const key = keyOf(userUuid, callId);
  const draft = useSyncExternalStore(watch, () => drafts.get(key) ?? empty);
  const change = useCallback((changed: NoteDraft) => store(key, { ...drafts.get(key), ...changed }), [key]);
  const discard = useCallback(() => store(key, undefined), [key]);
  return { draft, change, discard };
}

function store(key: string, draft: NoteDraft | undefined): void {
  if (draft) drafts.set(key, draft);
  else drafts.delete(key);
  const [oldest] = drafts.keys();
  if (drafts.size > maxDrafts && oldest !== undefined) drafts.delete(oldest);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
