export { acceptCarrierCall } from './accept-carrier-call.ts';
export { acceptPhoneCall } from './accept-phone-call.ts';
export { advanceCall, createMover, type MoveCall, type Step } from './advance-call.ts';
export { longestWaitSeconds } from './call.rules.ts';
export { type EngineEnd, type Lease, type LiveCall, legOf, ownLeg } from './call.ts';
export { countLiveCalls } from './call-sum.store.ts';
export { leastConcurrentCalls } from './caps.rules.ts';
export { findCaps, findSetCaps } from './caps.store.ts';
export { hangupCauseCode, hangupCauses } from './causes.rules.ts';
export { closeOpenCalls } from './close-open-calls.ts';
export { endCall, endLostCall, endUndialledCall } from './end-call.ts';
export { eraseCalls } from './erase-calls.ts';
export { type FundDeps, fundCall } from './fund-call.ts';
export { endCallsOfAccount } from './hang-up-call.ts';
export {
  claimCalls,
  findCallsOfNode,
  findHangups,
  findLiveAmong,
} from './live-call.store.ts';
export { type ShownCaps, setCaps, showCaps } from './operate-caps.ts';
export { codePurpose, createPlaceCodeCall } from './place-code-call.ts';
export { cannotConnect, notNow, sipStatusOf, tooMany } from './sip-status.rules.ts';
export { askers, type CallWatch, corrections, type EndedCall, unwatched } from './watch.ts';
