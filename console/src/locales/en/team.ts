export const team = {
  own: 'Your availability',
  hint: 'Unless you are available, calls from outside and from colleagues do not ring. You can always call.',
  otherReason: 'Away with a reason…',
  reason: 'Reason',
  reasonHint: 'Shown to supervisors, at most 60 characters.',
  failed: 'Your availability was not changed',
  wall: 'Wallboard',
  since: 'since {{at}}',
  states: {
    available: 'Available',
    in_call: 'In a call',
    away: 'Away',
    do_not_disturb: 'Do not disturb',
    offline: 'No phone',
  },
  directions: {
    inbound: 'Inbound from {{number}}',
    outbound: 'Outbound to {{number}}',
    internal: 'Internal with {{number}}',
  },
  columns: { name: 'Person', state: 'Status', detail: 'Call or reason', since: 'Time' },
};
