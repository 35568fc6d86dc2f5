/** How often whom may do what. One row names a bucket; routes that name the same bucket share it. */
export interface Limit {
  bucket: string;
  /** `extension` is the extension that the body names, apart for every user; without one it is the user alone. */
  by: 'address' | 'user' | 'extension';
  max: number;
  windowSeconds: number;
  /** Only requests that succeed count, so that a typing error costs nobody a turn. */
  successOnly?: true;
}

const minute = 60;
const hour = 3600;

/** One bucket per address for every route of the specification without a limit of its own. */
const address: Limit = { bucket: 'address', by: 'address', max: 60, windowSeconds: minute };
/** Routes beyond the specification count per user, so that an office behind one address can work. */
const user: Limit = { bucket: 'user', by: 'user', max: 60, windowSeconds: minute };

const logIn: Limit = { bucket: 'login', by: 'address', max: 10, windowSeconds: minute };

/** Whoever has used up everything else can still leave. */
const logOut: Limit = { bucket: 'logout', by: 'address', max: 60, windowSeconds: minute };

const table: Record<string, Limit[]> = {
  'POST /accounts/signup': [
    address,
    { bucket: 'signup', by: 'address', max: 5, windowSeconds: hour, successOnly: true },
  ],
  'PATCH /accounts': [address],
  'POST /users/login': [logIn],
  'POST /console/session': [logIn],
  'DELETE /console/session': [logOut],
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
  'GET /calls': [{ bucket: 'calls-list', by: 'user', max: 15, windowSeconds: minute }],
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
  'HEAD /recordings/:callId': [],
  'GET /openapi.json': [],
};

/** The limits of a route, told as `METHOD /path` without the version prefix. A route missing from the table gets the default. */
export const limitsOf = (route: string): Limit[] => table[route] ?? [user];

/** Every bucket once, with the routes that share it. The last is for all routes that are not named. */
export function limitBuckets(): (Limit & { routes: string[] })[] {
  const buckets = new Map<string, Limit & { routes: string[] }>();
  for (const [route, limits] of Object.entries(table)) {
    for (const limit of limits) {
      const known = buckets.get(limit.bucket) ?? { ...limit, routes: [] };
      buckets.set(limit.bucket, { ...known, routes: [...known.routes, route] });
    }
  }
  return [...buckets.values(), { ...user, routes: [] }];
}

/** What a request counts against while nobody is known to stand behind it. */
export const anonymousLimit: Limit = address;
