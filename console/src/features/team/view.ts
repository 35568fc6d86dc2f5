import type { State } from '../../shared/availability/state-mark.tsx';
import type { Teammate } from './queries.ts';

/** States in the order in which people are listed. */
export const states: readonly State[] = ['in_call', 'available', 'away', 'do_not_disturb', 'offline'];

/** Whether the page fills the screen, for a monitor on the wall. */
export interface TeamView {
  wall?: true;
}

export const validateSearch = ({ wall }: Record<string, unknown>): TeamView =>
  wall === true || wall === 'true' ? { wall: true } : {};

/** Sorts people by state, and within a state by name. */
export const sorted = (people: Teammate[], language: string): Teammate[] => {
  const { compare } = new Intl.Collator(language, { sensitivity: 'base' });
  return people.toSorted(
    (one, other) => states.indexOf(one.state) - states.indexOf(other.state) || compare(one.name, other.name),
  );
};

export const countStates = (people: Teammate[]): Record<State, number> => {
  const counts = { in_call: 0, available: 0, away: 0, do_not_disturb: 0, offline: 0 };
  for (const { state } of people) counts[state] += 1;
  return counts;
};
