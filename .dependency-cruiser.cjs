// The one place that says which context may use which neighbour's front door (its index.ts).
// A context that is missing from this table may import nothing at all.
const mayImport = {
  audit: [],
  limits: [],
  notifications: [],
  access: ['audit', 'limits', 'notifications'],
  users: ['access', 'audit', 'notifications'],
  accounts: ['access', 'audit', 'users'],
  billing: ['audit', 'notifications', 'users'],
  charges: ['audit', 'billing'],
  sandbox: ['billing', 'charges'],
  extensions: ['access', 'audit', 'users'],
  'caller-ids': ['audit'],
  recordings: ['audit'],
  calls: ['audit', 'billing', 'caller-ids', 'extensions', 'recordings'],
  telephony: ['audit', 'billing', 'calls', 'recordings'],
  integrations: ['audit', 'users'],
  events: ['access', 'calls', 'recordings'],
  overview: ['accounts', 'billing', 'calls', 'extensions', 'integrations', 'limits'],
  webhooks: ['audit', 'calls', 'events', 'integrations', 'notifications', 'recordings', 'users'],
};

// A vendor's package is imported in one place, so that replacing it touches one folder.
const homeOfVendor = {
  ioredis: 'platform',
  'pg-boss': 'platform',
  pino: 'platform',
  'prom-client': 'platform',
  '@opentelemetry': 'platform',
  nodemailer: 'adapters/mail',
  ws: 'adapters/asterisk',
  '@aws-sdk/client-s3': 'adapters/storage',
  undici: 'adapters/webhooks',
  'rate-limiter-flexible': 'contexts/limits',
};

// Decisions may use these: they do no I/O and read no clock of their own.
const pureModules = ['^server/src/platform/(errors|ids|money|network|phone|time)(/|\\.ts$)'];
const pureLibraries = ['node_modules/(libphonenumber-js|ipaddr\\.js|cpf-cnpj-validator|csv-parse)/'];

const contexts = 'server/src/contexts';
const anyOf = (names) => `(${names.join('|')})`;
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const directions = Object.entries(mayImport).map(([context, neighbours]) =>
  forbid(
    `direction-${context}`,
    `${context} may use only: ${neighbours.join(', ') || 'nobody'}`,
    { path: `^${contexts}/${context}/` },
    { path: `^${contexts}/`, pathNot: `^${contexts}/${anyOf([context, ...neighbours])}/` },
  ),
);

const vendors = Object.entries(homeOfVendor).map(([vendor, home]) =>
  forbid(
    `vendor-${vendor}`,
    `${vendor} lives in server/src/${home} only`,
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
      'Name a new context in mayImport first.',
      { path: `^${contexts}/`, pathNot: `^${contexts}/${anyOf(Object.keys(mayImport))}/` },
      {},
    ),
    forbid(
      'no-cycles',
      'A cycle has no order of loading; types may refer to each other, and so may what is loaded later.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    ),
    forbid(
      'front-door-only',
      "A neighbour is used through its index.ts, and nobody's inside is public.",
      { path: `^${contexts}/([^/]+)/` },
      { path: `^${contexts}/`, pathNot: [`^${contexts}/$1/`, `^${contexts}/[^/]+/index\\.ts$`] },
    ),
    forbid(
      'front-door-only-from-outside',
      'http, adapters and main see front doors, routes and jobs.',
      { path: '^server/src/(http|adapters|main)/' },
      { path: `^${contexts}/`, pathNot: [`^${contexts}/[^/]+/index\\.ts$`, '\\.(routes|jobs)\\.ts$'] },
    ),
    forbid(
      'routes-are-mounted-by-http-or-main',
      'Routes are the edge of a context; nothing inside depends on them.',
      { path: '^server/src/', pathNot: ['^server/src/(http|main)/', '\\.routes\\.ts$'] },
      { path: '^server/src/.+\\.routes\\.ts$' },
    ),
    forbid(
      'jobs-are-mounted-by-main',
      'Job handlers are the edge of a context; nothing inside depends on them.',
      { path: '^server/src/', pathNot: '^server/src/main/' },
      { path: '^server/src/.+\\.jobs\\.ts$' },
    ),
    forbid(
      'rules-are-pure',
      'Decisions are functions of their arguments: no I/O, no clock, no framework.',
      { path: '^server/src/.+\\.rules\\.ts$' },
      { pathNot: ['\\.rules\\.ts$', ...pureModules, ...pureLibraries], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'fastify-only-at-the-edge',
      'Use cases know no HTTP.',
      { path: '^server/src/', pathNot: ['\\.routes\\.ts$', '^server/src/(http|main)/'] },
      { path: 'node_modules/(@fastify/|fastify|@scalar/)' },
    ),
    forbid(
      'sql-only-in-stores',
      'In a context SQL is written in *.store.ts; everything else may name the types only.',
      { path: `^${contexts}/`, pathNot: '\\.store\\.ts$' },
      { path: 'node_modules/(pg|kysely)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'routes-and-jobs-never-touch-stores',
      'Handlers translate: parse, call one verb, present.',
      { path: '\\.(routes|jobs)\\.ts$' },
      { path: '\\.store\\.ts$' },
    ),
    forbid(
      'contexts-know-no-outside',
      'Dependencies come in as arguments.',
      { path: `^${contexts}/` },
      { path: '^server/src/(adapters|http|main)/' },
    ),
    forbid(
      'platform-is-the-floor',
      'The platform imports nothing above it.',
      { path: '^server/src/platform/' },
      { path: '^server/src/(contexts|adapters|http|main)/' },
    ),
    forbid(
      'the-product-runs-without-its-tools',
      'What is shipped needs neither tests nor tools nor development packages.',
      { path: '^server/src/' },
      { path: '^(server/(test|bench)|simulator|tools)/' },
    ),
    forbid(
      'no-development-packages',
      'What is shipped needs no development package.',
      { path: '^server/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'features-stand-alone',
      'A feature of the console uses what is shared, the API and the frame; never another feature.',
      { path: '^console/src/features/([^/]+)/' },
      {
        path: '^console/src/(features|app)/',
        pathNot: ['^console/src/features/$1/', '^console/src/app/base-routes\\.ts$'],
      },
    ),
    forbid(
      'shared-knows-no-feature',
      'What all use depends on none of them.',
      { path: '^console/src/(shared|api|locales)/' },
      { path: '^console/src/(features|app)/' },
    ),
    forbid(
      'console-and-server-meet-in-the-api',
      'They share a description, not code.',
      { path: '^console/src/' },
      { path: '^(server|tools|simulator)/' },
    ),
    forbid(
      'console-shares-little-with-the-sdk',
      'The console uses the generated API types and the event stream parser of the SDK, not its client.',
      { path: '^console/src/' },
      { path: '^sdk/', pathNot: ['^sdk/src/generated/schema\\.ts$', '^sdk/src/server-sent\\.ts$'] },
    ),
    forbid(
      'the-sdk-stands-alone',
      'It is installed by strangers, who have neither the service nor its packages.',
      { path: '^sdk/src/' },
      { pathNot: '^sdk/src/' },
    ),
    forbid(
      'integrators-need-the-sdk-only',
      'Their commands run on machines that know nothing of the service.',
      { path: '^cli/', pathNot: '^cli/(main\\.ts$|test/)' },
      { path: '^(server|simulator|tools|console|sdk/src/(?!index\\.ts$))' },
    ),
    forbid(
      'no-orphans',
      'A module that nobody imports and that imports nobody is forgotten.',
      { path: '^server/src/', orphan: true, pathNot: '\\.d\\.ts$' },
      {},
    ),
  ],
  options: {
    // TypeScript 7 offers no parser to other programs.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.d.ts'],
    },
  },
};
