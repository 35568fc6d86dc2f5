// Times shared by TypeScript, the dialplan (deploy/asterisk), the edge (deploy/kamailio) and SQL (server/sql). The other
// files repeat them as literals; server/test/platform/call-timings.unit.test.ts compares every copy with this file.

/** An edge that gets no response from a node, or from another edge, within this time tries the next one. */
export const nodeResponseSeconds = 2;

/**
 * An incoming leg is not dialled later than this after the edge sent it, or after it arrived from a carrier. A node that
 * receives the leg later than `nodeResponseSeconds` rejects it, because the edge is already trying another node.
 */
export const incomingLegDeadlineSeconds = 4;

/** The dialplan waits this long for the routing decision of an incoming leg. */
export const routingDecisionWaitSeconds = 2.5;

/** Older routing requests are ignored. Shorter than the dialplan's wait, so that the decision arrives in time. */
export const routingRequestMaxAgeSeconds = 2;

/** Ring timeout of a softphone. */
export const extensionRingSeconds = 30;

/** Ring timeout of an external destination. */
export const destinationRingSeconds = 60;

/** The edge ends an INVITE that rings for longer. Longer than both ring timeouts, so that the media node ends it first. */
export const edgeRingSeconds = 120;

/**
 * The dialplan dials no destination later than this after the call was originated. Longer than the softphone rings, and
 * shorter than the time after which the calls of a silent node are ended, so that an ended call is never dialled.
 */
export const dialDestinationWithinSeconds = 40;

/** A node not seen for this long is silent. */
export const silentNodeSeconds = 35;

/** A node that has been silent for this much longer is lost, and its calls are ended. */
export const lostNodeSeconds = 12;

/** Edges send calls only to nodes seen within this time; the metrics count all other nodes as silent. */
export const nodeHeardWithinSeconds = 4;

/** For this long a disconnected node still receives calls, because it may be changing its controller. */
export const reconnectingNodeSeconds = 2;

/** Interval at which an edge sends its heartbeat and reads the lists of nodes and edges. */
export const edgeHeartbeatSeconds = 3;

/** An edge not seen for this long is silent: two missed heartbeats. Calls to its phones go through another edge. */
export const silentEdgeSeconds = 2 * edgeHeartbeatSeconds;

/** Clock skew of a media node above which an operator should correct its clock. */
export const worryingClockSkewSeconds = 2;
