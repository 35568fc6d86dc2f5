export { longestWaitSeconds } from './call.rules.ts';
export { type EngineEnd, firstLegId, type Lease, type LegCounts, type LiveCall, ownLeg } from './call.ts';
export { hangupCauseCode, hangupCauses } from './causes.rules.ts';
export { countContacts } from './contacts/contact.store.ts';
export { endLeg, type LegOutcome } from './control/end-leg.ts';
export { fundLeg } from './control/fund-leg.ts';
export { claimLeg, findLegsOfCall, findLegsOfNode, findWantedLegs, reportLegs } from './control/leg.store.ts';
export type { LegEnd, LegReport, RunningLeg } from './control/leg.ts';
export { advanceCall, createMover, type MoveCall, type Step } from './lifecycle/advance-call.ts';
export { closeOpenCalls } from './lifecycle/close-open-calls.ts';
export { partyOf } from './lifecycle/end.rules.ts';
export { endCall, endLostCall, endUndialledCall } from './lifecycle/end-call.ts';
export { type FundDeps, fundCall } from './lifecycle/fund-call.ts';
export { endCalls, endCallsOfAccount } from './lifecycle/hang-up-call.ts';
export {
  claimCalls,
  claimChosenCalls,
  claimLiveCalls,
  countLiveCalls,
  countTakenSlots,
  findCallsOfNode,
  findHangups,
  findLiveAmong,
} from './lifecycle/live-call.store.ts';
export {
  type AudioFault,
  type AudioNote,
  audioParties,
  audioReasons,
  createAudioNotes,
  type NoteAudio,
} from './lifecycle/note-audio.ts';
export { defaultCaps, leastConcurrentCalls } from './limits/caps.rules.ts';
export { findCaps, findSetCaps, findSuspension } from './limits/caps.store.ts';
export { type ShownCaps, setCaps, showCaps } from './limits/operate-caps.ts';
export { liftSuspension, type Suspension, showSuspension, suspendCalling } from './limits/suspend-calling.ts';
export { type CallObserver, type EndedCall, noObserver, reconciliations, requesters } from './observer.ts';
export { callsOf, hasCalls, ownColumn } from './own-calls.store.ts';
export { acceptCarrierCall } from './placing/accept-carrier-call.ts';
export { acceptPhoneCall } from './placing/accept-phone-call.ts';
export { codePurpose, createPlaceCodeCall } from './placing/place-code-call.ts';
export {
  cannotConnect,
  notNow,
  refusalOfUnavailable,
  sipStatusOf,
  tooMany,
} from './placing/sip-status.rules.ts';
export { eraseCalls } from './retention/erase-calls.ts';
export { findCalledPrefixes, findRecentTraffic, findTrafficHistory } from './summary/traffic.store.ts';
export type { Traffic, TrafficHistory } from './summary/traffic.ts';
