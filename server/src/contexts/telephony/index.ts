export type { ControlDeps } from './control.ts';
export { controlNode } from './control-node.ts';
export { isNodeSecret } from './node.store.ts';
export { addNode, drainNode, listNodes, removeNode } from './operate-nodes.ts';
export { addTrunk, listTrunks, removeTrunk, switchTrunk, testTrunk } from './operate-trunks.ts';
export type { DialRequest, EngineEvent, Legs, MediaNode, Verdict, WantedCall } from './ports.ts';
export { type DetailRecord, receiveRecords } from './receive-records.ts';
export { openTrunkBook } from './trunk-book.ts';
