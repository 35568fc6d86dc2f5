import type { KeyRing } from '../../../platform/keyring.ts';
import type { Control } from '../nodes/control.ts';
import type { TrunkEndpoint } from '../ports.ts';
import type { Trunk } from './trunk.ts';
import { endpointName, endpointsBySource, hasOwnEndpoint } from './trunk-endpoint.rules.ts';
import { openLogin } from './trunk-login.ts';

/** The trunks as a media node has them. */
export interface AppliedTrunks {
  /** The trunks over which this node can dial. */
  usable: readonly Trunk[];
  /** The list that was applied last; the directory returns another one after each refresh. */
  from: readonly Trunk[] | undefined;
  endpoints: Set<string>;
  bySource: Map<string, string | null>;
  /** Time of the next attempt after a failure. */
  retryAtMs: number;
}

export const noTrunks = (): AppliedTrunks => ({
  usable: [],
  from: undefined,
  endpoints: new Set(),
  bySource: new Map(),
  retryAtMs: 0,
});

const retryMs = 30_000;

/**
 * Gives a media node the settings of trunks with encryption or credentials, which it keeps in memory only. Trunks that a
 * node does not accept are not used on it: a call is not sent without the protection that its trunk demands.
 */
export async function applyTrunks(control: Control): Promise<void> {
  const { deps, trunks: applied } = control;
  const all = deps.trunks.all();
  const nowMs = deps.clock.now().getTime();
  if (all === applied.from || nowMs < applied.retryAtMs) return;
  const added = await Promise.all(all.filter(hasOwnEndpoint).map((trunk) => addEndpoint(control, trunk)));
  const identified = await identifyCarriers(control, all);
  applied.usable = all.filter(
    (trunk) => !hasOwnEndpoint(trunk) || applied.endpoints.has(endpointName(trunk)),
  );
  await removeOthers(control, all);
  const isComplete = identified && added.every(Boolean);
  applied.from = isComplete ? all : undefined;
  applied.retryAtMs = isComplete ? 0 : nowMs + retryMs;
}

async function addEndpoint(control: Control, trunk: Trunk): Promise<boolean> {
  const { deps, node, trunks: applied } = control;
  const name = endpointName(trunk);
  if (applied.endpoints.has(name)) return true;
  try {
    await node.addTrunk(endpointOf(deps.keyRing, trunk));
    applied.endpoints.add(name);
    return true;
  } catch (err) {
    deps.log.warn({ err, trunk: trunk.name, node: node.name }, 'trunk not accepted by the media node');
    return false;
  }
}

const endpointOf = (keyRing: KeyRing, trunk: Trunk): TrunkEndpoint => ({
  name: endpointName(trunk),
  transport: trunk.transport,
  srtp: trunk.srtp,
  outbound: openLogin(keyRing, trunk.outboundLogin),
  inbound: openLogin(keyRing, trunk.inboundLogin),
});

/** An earlier controller may have left rules for an address, so the node gets those of every address. */
async function identifyCarriers(control: Control, all: readonly Trunk[]): Promise<boolean> {
  const { deps, node, trunks: applied } = control;
  const wanted = [...endpointsBySource(all, deps.trunks.addressesOf)];
  const changed = wanted.filter(([address, endpoint]) => applied.bySource.get(address) !== endpoint);
  try {
    await Promise.all(changed.map(([address, endpoint]) => node.identifyCarrier(address, endpoint)));
    applied.bySource = new Map(wanted);
    return true;
  } catch (err) {
    deps.log.warn({ err, node: node.name }, 'carrier addresses not accepted by the media node');
    return false;
  }
}

async function removeOthers({ deps, node, trunks: applied }: Control, all: readonly Trunk[]): Promise<void> {
  const wanted = new Set(all.map(endpointName));
  for (const name of [...applied.endpoints].filter((each) => !wanted.has(each))) {
    applied.endpoints.delete(name);
    await node
      .removeTrunk(name)
      .catch((err: unknown) =>
        deps.log.warn({ err, node: node.name }, 'trunk not removed from the media node'),
      );
  }
}
