/** FreeSWITCH cause names with their numbers (Q.850 where defined). */
const codes: Record<string, number> = {
  UNALLOCATED_NUMBER: 1,
  NO_ROUTE_DESTINATION: 3,
  NORMAL_CLEARING: 16,
  USER_BUSY: 17,
  NO_USER_RESPONSE: 18,
  NO_ANSWER: 19,
  SUBSCRIBER_ABSENT: 20,
  CALL_REJECTED: 21,
  NUMBER_CHANGED: 22,
  DESTINATION_OUT_OF_ORDER: 27,
  INVALID_NUMBER_FORMAT: 28,
  NORMAL_UNSPECIFIED: 31,
  NORMAL_CIRCUIT_CONGESTION: 34,
  NETWORK_OUT_OF_ORDER: 38,
  NORMAL_TEMPORARY_FAILURE: 41,
  SWITCH_CONGESTION: 42,
  INCOMING_CALL_BARRED: 54,
  INCOMPATIBLE_DESTINATION: 88,
  RECOVERY_ON_TIMER_EXPIRE: 102,
  ORIGINATOR_CANCEL: 487,
  LOSE_RACE: 502,
  ALLOTTED_TIMEOUT: 602,
};

export const hangupCauses = Object.keys(codes);

/** Returns the cause number as sent in webhooks. */
export const hangupCauseCode = (cause: string): string => String(codes[cause] ?? codes.NORMAL_UNSPECIFIED);
