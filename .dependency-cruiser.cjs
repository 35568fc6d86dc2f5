// Defines which context may import which other context's index.ts.
// A context that is missing from this table may import nothing.
const mayImport = {
  audit: [],
  limits: ['audit'],
  notifications: [],
  access: ['audit', 'limits', 'notifications'],
  users: ['access', 'audit', 'limits', 'notifications'],
  sso: ['access', 'audit', 'limits', 'notifications', 'users'],
  accounts: ['access', 'audit', 'users'],
  operators: ['access', 'notifications'],
  billing: ['audit', 'notifications', 'users'],
  charges: ['audit', 'billing'],
  sandbox: ['billing', 'charges'],
  extensions: ['access', 'audit', 'limits', 'users'],
  'caller-ids': ['audit', 'limits', 'users'],
  recordings: ['audit'],
  requests: [],
  calls: ['audit', 'billing', 'caller-ids', 'extensions', 'limits', 'recordings'],
  abuse: ['audit', 'calls', 'notifications', 'users'],
  telephony: ['audit', 'billing', 'calls', 'recordings'],
  integrations: ['audit', 'limits', 'users'],
  events: ['access', 'calls', 'limits', 'recordings'],
  overview: [
    'access',
    'accounts',
    'billing',
    'calls',
    'extensions',
    'integrations',
    'limits',
    'recordings',
    'requests',
    'users',
  ],
  webhooks: ['audit', 'calls', 'events', 'integrations', 'limits', 'notifications', 'recordings', 'users'],
};

// Each vendor package is imported in one folder only, so that replacing it affects only that folder.
const homeOfVendor = {
  ioredis: 'platform',
  'pg-boss': 'platform',
  pino: 'platform',
  'prom-client': 'platform',
  '@opentelemetry': 'platform',
  '@zxcvbn-ts': 'platform',
  nodemailer: 'adapters/mail',
  ws: 'adapters/asterisk',
  '@aws-sdk/client-s3': 'adapters/storage',
  'openid-client': 'adapters/identity',
  undici: 'adapters/webhooks',
  'rate-limiter-flexible': 'contexts/limits',
};

// Modules that rules may import: they do no I/O and do not read the clock.
const pureModules = [
  '^server/src/platform/(call-timings|common-passwords|errors|event-types|fold|ids|money|network|party|phone|time)(/|\\.ts$)',
];
const pureLibraries = ['node_modules/(libphonenumber-js|ipaddr\\.js|cpf-cnpj-validator|csv-parse)/'];

const contexts = 'server/src/contexts';
const anyOf = (names) => `(${names.join('|')})`;
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const directions = Object.entries(mayImport).map(([context, neighbours]) =>
  forbid(
    `direction-${context}`,
    `${context} may only import: ${neighbours.join(', ') || 'nothing'}`,
    { path: `^${contexts}/${context}/` },
    { path: `^${contexts}/`, pathNot: `^${contexts}/${anyOf([context, ...neighbours])}/` },
  ),
);

const vendors = Object.entries(homeOfVendor).map(([vendor, home]) =>
  forbid(
    `vendor-${vendor}`,
    `${vendor} may be imported in server/src/${home} only`,
    { path: '^server/src/', pathNot: `^server/src/${home}/` },
    { path: `node_modules/${vendor}/` },
  ),
);

module.exports = {
  forbidden: [
    ...directions,
    ...vendors,
    forbid(
      'context-is-in-the-table',
      'Add the new context to mayImport first.',
      { path: `^${contexts}/`, pathNot: `^${contexts}/${anyOf(Object.keys(mayImport))}/` },
      {},
    ),
    forbid(
      'no-cycles',
      'Cycles have no defined load order; type imports and dynamic imports may form cycles.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    ),
    forbid(
      'front-door-only',
      'Import another context through its index.ts only; everything else is private.',
      { path: `^${contexts}/([^/]+)/` },
      { path: `^${contexts}/`, pathNot: [`^${contexts}/$1/`, `^${contexts}/[^/]+/index\\.ts$`] },
    ),
    forbid(
      'front-door-only-from-outside',
      'http, adapters and main may import index.ts, routes and jobs only.',
      { path: '^server/src/(http|adapters|main)/' },
      { path: `^${contexts}/`, pathNot: [`^${contexts}/[^/]+/index\\.ts$`, '\\.(routes|jobs)\\.ts$'] },
    ),
    forbid(
      'routes-are-mounted-by-http-or-main',
      'Routes are the outermost layer of a context; nothing inside may import them.',
      { path: '^server/src/', pathNot: ['^server/src/(http|main)/', '\\.routes\\.ts$'] },
      { path: '^server/src/.+\\.routes\\.ts$' },
    ),
    forbid(
      'jobs-are-mounted-by-main',
      'Job handlers are the outermost layer of a context; nothing inside may import them.',
      { path: '^server/src/', pathNot: '^server/src/main/' },
      { path: '^server/src/.+\\.jobs\\.ts$' },
    ),
    forbid(
      'rules-are-pure',
      'Rules are pure functions of their arguments: no I/O, no clock, no framework.',
      { path: '^server/src/.+\\.rules\\.ts$' },
      { pathNot: ['\\.rules\\.ts$', ...pureModules, ...pureLibraries], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'fastify-only-at-the-edge',
      'Use cases must not depend on HTTP.',
      { path: '^server/src/', pathNot: ['\\.routes\\.ts$', '^server/src/(http|main)/'] },
      { path: 'node_modules/(@fastify/|fastify|@scalar/)' },
    ),
    forbid(
      'sql-only-in-stores',
      'SQL of a context is in *.store.ts; other files may import types only.',
      { path: `^${contexts}/`, pathNot: '\\.store\\.ts$' },
      {
        path: ['node_modules/(pg|kysely)/', '^server/src/platform/db/prepared\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'routes-and-jobs-never-touch-stores',
      'Handlers only parse, call one use case, and format the result.',
      { path: '\\.(routes|jobs)\\.ts$' },
      { path: '\\.store\\.ts$' },
    ),
    forbid(
      'contexts-know-no-outside',
      'Pass dependencies as arguments.',
      { path: `^${contexts}/` },
      { path: '^server/src/(adapters|http|main)/' },
    ),
    forbid(
      'platform-is-the-floor',
      'The platform imports nothing from the layers above it.',
      { path: '^server/src/platform/' },
      { path: '^server/src/(contexts|adapters|http|main)/' },
    ),
    forbid(
      'the-product-runs-without-its-tools',
      'Shipped code must not import tests, tools or development packages.',
      { path: '^server/src/' },
      { path: '^(server/(test|bench)|simulator|tools)/' },
    ),
    forbid(
      'no-development-packages',
      'Shipped code must not import development packages.',
      { path: '^server/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'features-stand-alone',
      'A console feature may import shared code and the API, but neither the shell nor another feature.',
      { path: '^console/src/features/([^/]+)/' },
      { path: '^console/src/(features|app)/', pathNot: '^console/src/features/$1/' },
    ),
    forbid(
      'shared-knows-no-feature',
      'Shared code must not import features.',
      { path: '^console/src/(shared|api|locales)/' },
      { path: '^console/src/(features|app)/' },
    ),
    forbid(
      'console-and-server-meet-in-the-api',
      'Console and server share the API description, the parsers of telephone numbers and metadata, and the texts of end reasons, no other code.',
      { path: '^console/src/' },
      { path: '^(server|tools|simulator)/', pathNot: '^server/src/platform/(cause-texts|party|phone)\\.ts$' },
    ),
    forbid(
      'console-shares-little-with-the-sdk',
      'The console uses the generated types and the event stream parser of the SDK, not its client.',
      { path: '^console/src/' },
      { path: '^sdk/', pathNot: ['^sdk/src/generated/', '^sdk/src/server-sent\\.ts$'] },
    ),
    forbid(
      'the-sdk-stands-alone',
      'The SDK is installed on its own, without the service and its packages.',
      { path: '^sdk/src/' },
      { pathNot: '^sdk/src/' },
    ),
    forbid(
      'integrators-need-the-sdk-only',
      'Integrator commands run on machines without the service.',
      { path: '^cli/', pathNot: '^cli/(main\\.ts$|test/)' },
      { path: '^(server|simulator|tools|console|sdk/src/(?!index\\.ts$))' },
    ),
    forbid(
      'no-orphans',
      'A module that is not imported and imports nothing is unused.',
      { path: '^server/src/', orphan: true, pathNot: '\\.d\\.ts$' },
      {},
    ),
  ],
  options: {
    // swc, because TypeScript 7 has no parser API.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.d.ts'],
    },
  },
};
