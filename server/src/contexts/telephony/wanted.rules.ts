import type { EngineEnd } from '../calls/index.ts';
import type { Trunk } from './trunk.ts';

/** The end of a leg that was gone before anything was dialled for it. */
export const goneEnd = (endedOnNode: number): EngineEnd => ({
  endedOnNode,
  answeredOnNode: null,
  cause: 0,
  sipStatus: null,
  dialStatus: '',
  endedBy: null,
});

/** Whose calls come from this address: a trunk for tests reaches accounts in test mode, and no others. */
export function modesOf(trunks: readonly Trunk[], source: string): Trunk['mode'][] {
  const host = hostOf(source);
  return [
    ...new Set(
      trunks.filter(({ enabled, address }) => enabled && hostOf(address) === host).map(({ mode }) => mode),
    ),
  ];
}

const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':'));
