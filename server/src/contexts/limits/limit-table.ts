/** A rate limit. Routes with the same bucket share it. */
export interface Limit {
  bucket: string;
  /** `extension` counts per user and extension in the body; without one, per user. */
  by: 'address' | 'user' | 'extension';
  max: number;
  windowSeconds: number;
  /** Counts only requests with valid fields, so that a typing error does not use up the limit. */
  validOnly?: true;
}

const minute = 60;
const hour = 3600;

/** One bucket per address for all routes of the specification without another limit. */
const address: Limit = { bucket: 'address', by: 'address', max: 60, windowSeconds: minute };
/** Routes that are not in the specification count per user, so that an office behind one address can work. */
const user: Limit = { bucket: 'user', by: 'user', max: 60, windowSeconds: minute };

const logIn: Limit = { bucket: 'login', by: 'address', max: 10, windowSeconds: minute };

/** A login takes two requests, a start and a callback. */
const logInSso: Limit = { bucket: 'sso', by: 'address', max: 20, windowSeconds: minute };

/** Separate, so that a client over its other limits can still log out. */
const logOut: Limit = { bucket: 'logout', by: 'address', max: 60, windowSeconds: minute };

const listCalls: Limit = { bucket: 'calls-list', by: 'user', max: 15, windowSeconds: minute };

/** Shared by all commands: an agent who holds and resumes every call needs a few of them per call. */
const control: Limit = { bucket: 'control', by: 'user', max: 60, windowSeconds: minute };

const table: Record<string, Limit[]> = {
  'POST /accounts/signup': [
    address,
    { bucket: 'signup', by: 'address', max: 5, windowSeconds: hour, validOnly: true },
  ],
  'PATCH /accounts': [address],
  'POST /users/login': [logIn],
  'POST /console/session': [logIn],
  'DELETE /console/session': [logOut],
  'POST /console/sso/start': [logInSso],
  'POST /console/sso/callback': [logInSso],
  'GET /users': [address],
  'POST /users': [address],
  'PATCH /users': [address],
  'GET /users/me': [address],
  'POST /users/accessTokens': [address],
  'HEAD /users/accessTokens': [address],
  'POST /extensions': [address],
  'PATCH /extensions': [address],
  'GET /extensions': [address],
  'POST /extensions/next-available': [address],
  'POST /calls': [{ bucket: 'calls', by: 'extension', max: 15, windowSeconds: minute }],
  'POST /dialer': [{ bucket: 'dialer', by: 'extension', max: 15, windowSeconds: minute }],
  'POST /calls/:id/hangup': [{ bucket: 'hangup', by: 'user', max: 30, windowSeconds: minute }],
  'POST /calls/:id/hold': [control],
  'POST /calls/:id/unhold': [control],
  'POST /calls/:id/mute': [control],
  'POST /calls/:id/unmute': [control],
  'POST /calls/:id/transfer': [control],
  'POST /calls/:id/transfer/complete': [control],
  'POST /calls/:id/transfer/cancel': [control],
  'POST /calls/:id/conference': [control],
  'GET /calls': [listCalls],
  'GET /accounts/financial': [address],
  'POST /accounts/financial': [address],
  'PUT /accounts/financial': [address],
  'POST /charges': [address],
  'GET /charges': [address],
  'PATCH /charges/:id/cancel': [address],
  'PATCH /integrations': [address],
  'GET /integrations': [address],
  'POST /gateways/:gateway/events': [],
  'GET /recordings/:callId': [],
  'GET /openapi.json': [],
};

/**
 * Returns the limits of a route, given as `METHOD /path` without the version prefix. Unlisted routes have the default.
 * HEAD has the limits of GET.
 */
export const limitsOf = (route: string): Limit[] =>
  table[route] ?? table[route.replace(/^HEAD /, 'GET ')] ?? [user];

/** Returns every bucket once, with its routes. The last one covers all unlisted routes. */
export function limitBuckets(): (Limit & { routes: string[] })[] {
  const buckets = new Map<string, Limit & { routes: string[] }>();
  for (const [route, limits] of Object.entries(table)) {
    for (const limit of limits) {
      const bucket = buckets.get(limit.bucket) ?? { ...limit, routes: [] };
      buckets.set(limit.bucket, { ...bucket, routes: [...bucket.routes, route] });
    }
  }
  return [...buckets.values(), { ...user, routes: [] }];
}

/** The limit of requests without a valid token. */
export const anonymousLimit: Limit = address;

/**
 * The limit of each console session, instead of those by address and of all other routes by user: a page needs several
 * requests, and an office shares one address. The list of calls, whose total every change of a filter needs, is included.
 * Logins, calls and hangups keep their own limits.
 */
export const consoleLimit: Omit<Limit, 'by'> = { bucket: 'console', max: 300, windowSeconds: minute };

/** Whether requests of a console session count against its own limit instead of this one. */
export const isReplacedInConsole = ({ bucket }: Limit): boolean =>
  [address.bucket, user.bucket, listCalls.bucket].includes(bucket);

/** How often an invalid request without a token is also checked for duplicates; more would help to probe e-mails. */
export const anonymousChecksLimit: Limit = {
  bucket: 'anonymous-checks',
  by: 'address',
  max: 20,
  windowSeconds: hour,
};
