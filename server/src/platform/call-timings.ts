// Times shared by TypeScript, the dialplan (deploy/asterisk), the edge (deploy/kamailio) and SQL (server/sql). The other
// files repeat them as literals; server/test/platform/call-timings.unit.test.ts compares every copy with this file.

/** An edge tries the next node, or the next edge, after this time without a response. */
export const nodeResponseSeconds = 2;

/**
 * Maximum time between sending an incoming leg from the edge, or its arrival from a carrier, and dialling. A node that
 * receives the leg later than `nodeResponseSeconds` rejects it, because the edge is already trying another node.
 */
export const incomingLegDeadlineSeconds = 4;

/** The dialplan waits this long for the routing decision of an incoming leg. */
export const routingDecisionWaitSeconds = 2.5;

/** Older routing requests are ignored. Shorter than the dialplan's wait, so that a decision always arrives in time. */
export const routingRequestMaxAgeSeconds = 2;

/** Ring timeout of a softphone. */
export const extensionRingSeconds = 30;

/** Ring timeout of an external destination. */
export const destinationRingSeconds = 60;

/** The edge ends an INVITE that rings for longer. Exceeds both ring timeouts, so that the media node ends it first. */
export const edgeRingSeconds = 120;

/**
 * The dialplan does not dial a destination later than this after the call was originated. Longer than a softphone
 * rings, and shorter than the time after which the calls of a silent node are ended, so that an ended call is never
 * dialled.
 */
export const dialDestinationWithinSeconds = 40;

/** A node not seen for this long is silent. */
export const silentNodeSeconds = 35;

/** A node that has been silent for this much longer is lost, and its calls are ended. */
export const lostNodeSeconds = 12;

/** Edges send calls only to nodes seen within this time; metrics count all other nodes as silent. */
export const nodeHeardWithinSeconds = 4;

/** A disconnected node receives calls for this long, because it may be reconnecting to another controller. */
export const reconnectingNodeSeconds = 2;

/** Interval at which an edge sends its heartbeat and reads the lists of nodes and edges. */
export const edgeHeartbeatSeconds = 3;

/** An edge not seen for this long is silent: two missed heartbeats. Calls to its phones go through another edge. */
export const silentEdgeSeconds = 2 * edgeHeartbeatSeconds;

/** Media nodes with a larger clock skew cause a warning to the operator. */
export const worryingClockSkewSeconds = 2;
