export { liftBan, listBans } from './bans/operate-bans.ts';
export { openCallerKeys } from './legs/caller-keys.ts';
export { openEdgeDirectory } from './legs/edge-directory.ts';
export type { PhoneRoute } from './legs/reach-phone.rules.ts';
export type { ControlDeps, Work } from './nodes/control.ts';
export { controlNode } from './nodes/control-node.ts';
export { isNodeSecret } from './nodes/node.store.ts';
export { openNodeDirectory } from './nodes/node-directory.ts';
export { addNode, drainNode, fenceNodes, listNodes, removeNode } from './nodes/operate-nodes.ts';
export { type DetailRecord, receiveRecords } from './nodes/receive-records.ts';
export { type ControlObserver, leaseChanges } from './observer.ts';
export type {
  DialRequest,
  EngineEvent,
  IncomingLeg,
  LegCommands,
  LegRequest,
  LegSource,
  MediaNode,
  Place,
  RoutingDecision,
  TrunkEndpoint,
} from './ports.ts';
export {
  addTrunk,
  listTrunks,
  removeTrunk,
  setTrunk,
  switchTrunk,
  testTrunk,
} from './trunks/operate-trunks.ts';
export { trunkSeals } from './trunks/reseal-trunks.ts';
export { openTrunkDirectory } from './trunks/trunk-directory.ts';
