import { isIP } from 'node:net';
import { z } from 'zod';
import { type RaiseDeps, type SignalAction, signalKinds } from '../contexts/abuse/index.ts';
import { withFiles } from './settings-from-files.ts';

/** The default of CRM_NAMES. */
export const defaultCrmNames = (
  'ActiveCampaign,Agendor,AppFacilita,ExactSalesSpotter,Groner,HubSpot,Kommo,MoskitCRM,NectarCRM,Pipedrive,Piperun,' +
  'Ploomes,RDCRM,Salesflow,Salesforce,SharpSpring,Zendesk,ZohoCRM,Outros'
).split(',');

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const port = integer(0, 65_535);
const isUrlWithProtocol = (text: string, ...protocols: string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);
const url = (...protocols: string[]) =>
  z.string().refine((text) => isUrlWithProtocol(text, ...protocols), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i, 'must be a host and a port such as sip.example.com:5061');

const keyRing = commaList
  .transform((items, context) =>
    items.map((item) => {
      const [id = '', encoded = ''] = item.split(':', 2);
      const secret = Buffer.from(encoded, 'base64');
      if (!/^[a-z0-9]{1,16}$/.test(id) || secret.length !== 32) {
        context.addIssue({
          code: 'custom',
          message: 'must be a list of id:key, each key 32 bytes in base64',
        });
      }
      return { id, secret };
    }),
  )
  .refine((keys) => keys.length > 0, { error: 'must have at least one key' })
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, {
    error: 'must not contain an id twice',
  });

const digestKeys = commaList
  .refine((items) => items.every((item) => /^[a-z0-9]{1,16}:[A-Za-z0-9]{32,128}$/.test(item)), {
    error: 'must be a list of id:key, each key 32 letters and digits or more',
  })
  .transform((items) =>
    items.map((item) => {
      const [id = '', secret = ''] = item.split(':', 2);
      return { id, secret };
    }),
  )
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, {
    error: 'must not contain an id twice',
  });

const otlpHeaders = commaList.transform((items, context) =>
  Object.fromEntries(
    items.map((item) => {
      const [, name, value] = /^([\w-]+)=(.+)$/.exec(item) ?? [];
      if (name === undefined || value === undefined)
        context.addIssue({ code: 'custom', message: 'must be a list of name=value' });
      return [name ?? '', value ?? ''];
    }),
  ),
);

/**
 * Accepts an address, or a network such as 10.0.0.0/8. Rejects a network of all addresses: any client could forge its
 * address.
 */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest);
}

const networks = commaList.refine((items) => items.every(isNetwork), {
  error: 'must be a list of addresses or networks such as 10.0.0.0/8',
});

/** Reads a list such as `short_calls=off,new_destinations=alert`. */
const abuseActions = commaList
  .refine((items) => items.every((item) => abuseAction.test(item)), {
    error: `must be a list such as short_calls=off,new_destinations=alert, of the signals ${signalKinds.join(', ')}`,
  })
  .transform((items): RaiseDeps['actions'] =>
    Object.fromEntries(items.map((item) => item.split('=', 2) as [string, SignalAction | 'off'])),
  );
const abuseAction = new RegExp(`^(${signalKinds.join('|')})=(off|alert|suspend)$`);

const pem = (kind: string) =>
  z.string().refine((text) => text.includes(`${kind}-----`), { error: `must be a PEM file with a ${kind}` });

/** Accepts a folder, or a bucket with an optional prefix, endpoint and region. */
function isStorage(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname, searchParams } = new URL(text);
  if (protocol === 'file:') return host === '' && pathname.length > 1;
  const endpoint = searchParams.get('endpoint');
  return protocol === 's3:' && host !== '' && (endpoint === null || /^https?:\/\/[^/]+/.test(endpoint));
}

/** Every setting of every process. The description becomes its line in docs/configuration.md. */
export const configSchema = z.object({
  DATABASE_URL: url('postgres:', 'postgresql:').meta({
    description: 'PostgreSQL, as a login role that is a member of `disca_service` only.',
    secret: true,
  }),
  DATABASE_POOL_SIZE: integer(2, 200)
    .default(20)
    .describe(
      'Maximum PostgreSQL connections per process. Long queries use one more, and exports of calls in api up to 4 more.',
    ),
  DATABASE_MACHINES: commaList
    .default([])
    .describe(
      'Private addresses of PostgreSQL on three machines, comma-separated. `disca doctor` asks each whether its disk completes writes.',
    ),
  STATEMENT_TIMEOUT_MS: integer(100, 60_000)
    .default(5_000)
    .describe('SQL statement timeout, in milliseconds.'),
  REDIS_URL: url('redis:', 'rediss:').meta({
    description: 'Redis, for rate-limit counters and to wake voice.',
    secret: true,
  }),
  HTTP_HOST: z.string().default('0.0.0.0').describe('Address the API listens on.'),
  HTTP_PORT: port.default(3000).describe('Port of the API.'),
  OPS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address for health checks and metrics; keep it private.'),
  OPS_PORT: port.default(9400).describe('Port for health checks and metrics.'),
  PUBLIC_URL: url('http:', 'https:').describe(
    'Public URL of the API, without /api/v1; used in e-mailed links.',
  ),
  CONSOLE_URL: url('http:', 'https:').describe('URL of the console; the target of e-mailed links.'),
  CONSOLE_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(5)
    .max(129_600)
    .default(20_160)
    .describe('Minutes without a request after which a session of the console ends; 20160 are 14 days.'),
  CONSOLE_DIR: z
    .string()
    .min(1)
    .default('console/dist')
    .describe('Folder of the built console; without it only the API is served.'),
  MANUAL_DIR: z
    .string()
    .min(1)
    .default('docs/.vitepress/dist')
    .describe('Folder of the built manual, served under /manual/; without it the manual is not served.'),
  CONSOLE_CONNECTS: commaList
    .default([])
    .describe(
      'Additional origins that the console may connect to, comma-separated; its own and those of EDGE_WEBSOCKET_URLS are included.',
    ),
  SMTP_URL: url('smtp:', 'smtps:').meta({
    description: 'Mail server, with user and password if it requires them.',
    secret: true,
  }),
  SMTP_TLS: z
    .enum(['required', 'optional'])
    .default('required')
    .describe(
      'Whether mail is sent only if the connection to an `smtp://` server is encrypted with STARTTLS; `optional` only for a mail server on the same machine.',
    ),
  MAIL_FROM: z.string().min(3).describe('Sender of all mail, such as `Disca <no-reply@example.com>`.'),
  ACCOUNT_DOMAIN_SUFFIX: z
    .string()
    .regex(/^\.[a-z0-9-]+(\.[a-z0-9-]+)*$/, { error: 'must be a lower-case domain that begins with a dot' })
    .describe('Every account domain is one label in front of this suffix, such as `.disca.example`.'),
  KEY_RING: keyRing.meta({
    description:
      'Keys for encryption and signing as `id:base64`, comma-separated; the first is used for new data, the others to verify and decrypt.',
    secret: true,
  }),
  DIGEST_KEYS: digestKeys.default([]).meta({
    description:
      'Keys with which the HA1s of SIP passwords are encrypted as `id:key`, comma-separated, the same as on all edges; the first that all edges have is used for new ones. Each has 32 letters and digits or more. Without them HA1s are not encrypted.',
    secret: true,
  }),
  CRM_NAMES: commaList.default(defaultCrmNames).describe('CRM names that sign-up accepts, comma-separated.'),
  TERMS_URL: url('https:', 'http:')
    .optional()
    .describe('Terms of use, which the sign-up page links to. Without it there is no link.'),
  SIGNUP_APPROVAL: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether new accounts place no outbound calls until you approve them with `disca account approve`.',
    ),
  DEFAULT_ACCOUNT_MODE: z.enum(['test', 'live']).default('test').describe('Mode of new accounts.'),
  TRUSTED_PROXIES: networks
    .default([])
    .describe(
      'Trusted proxies: addresses or networks (CIDR) whose X-Forwarded-For is used, comma-separated.',
    ),
  WEBHOOK_ALLOWED_NETWORKS: networks
    .default([])
    .describe(
      'Non-public addresses or networks (CIDR) to which webhooks and requests to identity providers may be sent, comma-separated.',
    ),
  WEBHOOK_HOST_RATE: integer(1, 100_000)
    .default(100)
    .describe('Webhook requests per second that a process sends to one host, for all accounts together.'),
  ABUSE_ACTIONS: abuseActions
    .default({})
    .describe(
      'What is done if an account looks abused, where it differs from the defaults, as SIGNAL=off, alert or suspend, comma-separated.',
    ),
  RATE_LIMIT_SCALE: integer(1, 1_000_000)
    .default(1)
    .describe('Multiplier for every request limit; above 1 only for load tests.'),
  API_URL: url('http:', 'https:')
    .optional()
    .describe('URL under which the worker reaches the API; default: PUBLIC_URL.'),
  CHARGE_FEE: z.coerce
    .number()
    .min(0)
    .max(1000)
    .refine((reais) => Number(reais.toFixed(2)) === reais, { error: 'must have at most two decimals' })
    .default(0)
    .describe('Fee of the operator, added to every charge, in reais.'),
  OPERATOR_CREDIT_LIMIT: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .default(500)
    .describe('Credit in reais that an operator may add and remove per day without a second one.'),
  OPERATOR_CAP_FACTOR: z.coerce
    .number()
    .min(1)
    .max(1000)
    .default(5)
    .describe('Caps and budgets above this many times their default need a second operator.'),
  ASAAS_URL: url('http:', 'https:').default('https://api.asaas.com/v3').describe('URL of the Asaas API.'),
  ASAAS_API_KEY: z.string().optional().meta({
    description: 'API key of the Asaas account; without it live accounts cannot create charges.',
    secret: true,
  }),
  ASAAS_WEBHOOK_TOKEN: z.string().min(16).optional().meta({
    description: 'Value that Asaas sends as `asaas-access-token`; required with `ASAAS_API_KEY`.',
    secret: true,
  }),
  CALL_RETENTION_MONTHS: integer(1, 1_200)
    .default(60)
    .describe(
      'Retention of calls. Whole months older than this are moved to the schema `archive`, which the API does not read; keep or drop them there.',
    ),
  STORAGE_URL: z
    .string()
    .refine(isStorage, {
      error: 'must be file:///folder, or s3://bucket/prefix with optional ?endpoint= and &region=',
    })
    .default('file:///var/lib/disca/recordings')
    .describe(
      'Storage of recordings: `file:///folder`, shared by all processes, or `s3://bucket/prefix?endpoint=https://…&region=…`.',
    ),
  S3_ACCESS_KEY_ID: z.string().optional().meta({ description: 'Access key of the bucket in `STORAGE_URL`.' }),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ description: 'Secret key of `S3_ACCESS_KEY_ID`.', secret: true }),
  RECORDING_RETENTION_DAYS: integer(1, 3650)
    .default(90)
    .describe('Retention of recordings, in days; a change applies to new recordings only.'),
  EVENT_RETENTION_DAYS: integer(1, 3650)
    .default(90)
    .describe('Retention of the event log, in days; at least that of deliveries.'),
  EVENT_HEARTBEAT_MS: integer(100, 60_000)
    .default(15_000)
    .describe('Heartbeat interval of an idle event stream, in milliseconds.'),
  EVENT_STREAM_SECONDS: integer(0, 86_400)
    .default(3_600)
    .describe('Maximum duration of an event stream, in seconds; clients then reconnect.'),
  DELIVERY_RETENTION_DAYS: integer(1, 365)
    .default(30)
    .describe('Retention of webhook deliveries, in days; until then they can be replayed.'),
  REQUEST_LOG: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether the API records requests for `GET /requests`; recorded ones are kept for 7 days.'),
  VOICE_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address on which voice accepts media nodes and their shippers; keep it private.'),
  VOICE_PORT: port
    .default(8390)
    .describe('Port on which voice accepts media nodes and shippers of the same machine, without TLS.'),
  VOICE_PLAIN_NETWORKS: networks
    .default(['127.0.0.0/8', '::1'])
    .describe(
      'Addresses or networks (CIDR) whose connections to `VOICE_PORT` are accepted, comma-separated: those of the same machine. Others are closed.',
    ),
  VOICE_TLS_PORT: port
    .default(8391)
    .describe(
      'Port on which voice accepts media nodes and shippers of other machines, over TLS; open only with `VOICE_CERTIFICATE`.',
    ),
  VOICE_CERTIFICATE: pem('CERTIFICATE')
    .optional()
    .describe(
      'Certificate of voice for `VOICE_TLS_PORT`, as PEM; `deploy/inventory` creates it. Without it only media nodes of the same machine can connect.',
    ),
  VOICE_CERTIFICATE_KEY: pem('PRIVATE KEY')
    .optional()
    .meta({ description: 'Key of `VOICE_CERTIFICATE`, as PEM.', secret: true }),
  VOICE_NODE_AUTHORITY: pem('CERTIFICATE')
    .optional()
    .describe(
      'Certificate of the authority that issues the certificates of media nodes, as PEM. Their common name must be the name of the node.',
    ),
  NODE_MAX_CALLS: integer(1, 10_000)
    .default(200)
    .describe('Maximum concurrent calls per media node. A quarter of them is reserved for live accounts.'),
  PHONE_SESSION_SECONDS: integer(60, 86_400)
    .default(3_600)
    .describe('Lifetime of the credentials of a browser phone, in seconds.'),
  EDGE_WEBSOCKET_URLS: commaList
    .refine((items) => items.every((item) => isUrlWithProtocol(item, 'ws:', 'wss:')), {
      error: 'must be a list of URLs that begin with wss:// (or ws://)',
    })
    .default([])
    .describe(
      'URLs where browser phones reach the edges, such as `wss://sip.example.com/sip`, comma-separated.',
    ),
  EDGE_TLS_ADDRESS: hostAndPort
    .optional()
    .describe(
      'Address where softphones reach the edges by TLS, such as `sip.example.com:5061`, shown in the console. Without it, softphones resolve the domain of their account.',
    ),
  EDGE_SIP_ADDRESS: hostAndPort
    .optional()
    .describe(
      'Address where softphones reach the edges by UDP or TCP, such as `sip.example.com:5060`, shown in the console.',
    ),
  TURN_URLS: commaList
    .refine((items) => items.every((item) => /^turns?:[^\s/,]+$/.test(item)), {
      error: 'must be a list of addresses such as turn:turn.example.com:3478',
    })
    .default([])
    .describe(
      'TURN relays for the media of browser phones, such as `turn:turn.example.com:3478,turns:turn.example.com:5349?transport=tcp`.',
    ),
  TURN_SECRET: z.string().min(32).optional().meta({
    description: 'The `static-auth-secret` of the relays, 32 characters or more; required with `TURN_URLS`.',
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:')
    .optional()
    .describe('Trace collector that accepts OTLP over HTTP below `/v1/traces`; without it tracing is off.'),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders
    .optional()
    .meta({ description: 'Headers for the collector as `name=value`, comma-separated.', secret: true }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Fraction of traces to keep, between 0 and 1; all processes keep the same ones.'),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('Log level.'),
  SHUTDOWN_DELAY_MS: integer(0, 60_000)
    .default(3_000)
    .describe(
      'Time for which a stopping API process still accepts requests after it reports that it is not ready, so that the load balancer can react, in milliseconds.',
    ),
  SHUTDOWN_GRACE_MS: integer(0, 300_000)
    .default(15_000)
    .describe('Grace period for finishing work in progress when a process stops, in milliseconds.'),
});

export type Config = z.infer<typeof configSchema>;

/** Settings of the shipper on a media node. It has no database and no keys. */
export const shipperConfigSchema = z.object({
  CONTROL_URL: url('http:', 'https:').describe(
    'URL of voice on the same machine, or of the HAProxy of this machine, such as `http://127.0.0.1:8390`.',
  ),
  NODE_NAME: z.string().min(1).describe('Name of the media node, as given to `disca node add`.'),
  NODE_SECRET: z
    .string()
    .min(1)
    .meta({ description: 'Credential of the media node at the controller.', secret: true }),
  RECORDS_FILE: z
    .string()
    .min(1)
    .describe("Asterisk's file of call detail records, `cdr-custom/cdr.json` in its log directory."),
  RECORDINGS_DIRECTORY: z.string().min(1).describe('Folder where Asterisk writes recordings.'),
  OPS_HOST: configSchema.shape.OPS_HOST,
  OPS_PORT: configSchema.shape.OPS_PORT,
  LOG_LEVEL: configSchema.shape.LOG_LEVEL,
  SHUTDOWN_GRACE_MS: configSchema.shape.SHUTDOWN_GRACE_MS,
});

type Environment = Record<string, string | undefined>;

export const readConfig = (environment: Environment): Config => readSettings(configSchema, environment);
export const readShipperConfig = (environment: Environment) => readSettings(shipperConfigSchema, environment);

/** Reads the environment once and reports all errors together, by name and rule. Values are never reported. */
function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const set = withFiles(environment, Object.keys(schema.shape));
  const result = schema.safeParse(set);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return set[name] === undefined ? `  ${name} is not set` : `  ${name} ${describeIssue(issue)}`;
  });
  throw new Error(
    `The configuration is not valid:\n${[...new Set(lines)].join('\n')}\nSettings are documented in docs/configuration.md.`,
  );
}

// Returns a message without the value, which Zod's messages may quote.
function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return `must be a ${issue.expected}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_format':
      return issue.message.startsWith('must') ? issue.message : 'has the wrong format';
    default:
      return 'is not valid';
  }
}
