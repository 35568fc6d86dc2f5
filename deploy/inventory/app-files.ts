import {
  appPorts,
  credential,
  databaseUrl,
  edgeDatabaseUrl,
  edgePorts,
  environment,
  type HostContext,
  type HostFile,
  nodeSipPort,
  plain,
  relayPorts,
  sharedPorts,
} from './host-files.ts';
import { hostsOf } from './inventory.ts';
import { nodeSecretOf } from './secrets.ts';

const programs = ['api', 'worker', 'voice'];
const certificates = ['voice_certificate', 'voice_certificate_key', 'voice_node_authority'];

/** api, worker and voice. */
export function appFiles(context: HostContext<'app'>): HostFile[] {
  const { inventory, secrets } = context;
  const isBucket = inventory.storage.url.startsWith('s3:');
  const further = isBucket ? ['redis_url', 's3_secret_access_key'] : ['redis_url'];
  const shared = inventory.private.sharedAddress;
  const nodes = hostsOf(inventory, 'media').map(
    ({ name, address }) => `${name}:${secrets(nodeSecretOf(name))}@${address}:${nodeSipPort}`,
  );
  return [
    environment('/etc/disca/server.env', serverSettings(context)),
    environment('/etc/disca/prepare.env', {}),
    ...programs.map((program) =>
      extend(program, program === 'voice' ? [...further, ...certificates] : further),
    ),
    replaceCredentials('prepare', [
      ...['database_owner_url', 'database_url', 'database_operator_url', 'edge_database_url', 'nodes'],
    ]),
    credential('database_url', databaseUrl(inventory, 'disca_app', secrets('app_password'))),
    credential('database_owner_url', databaseUrl(inventory, 'disca_owner', secrets('owner_password'))),
    credential(
      'database_operator_url',
      databaseUrl(inventory, 'disca_operator_login', secrets('operator_password')),
    ),
    credential('edge_database_url', edgeDatabaseUrl(inventory, secrets)),
    credential('redis_url', `redis://:${secrets('redis_password')}@${shared}:${sharedPorts.redis}`),
    credential('nodes', nodes.join(',')),
    credential('voice_certificate', secrets('voice_certificate')),
    credential('voice_certificate_key', secrets('voice_certificate_key')),
    credential('voice_node_authority', secrets('node_authority')),
    ...[
      'key_ring',
      'digest_keys',
      'smtp_url',
      'turn_secret',
      ...(isBucket ? ['s3_secret_access_key'] : []),
    ].map((name) => credential(name, secrets(name))),
  ];
}

function serverSettings({ inventory, host }: HostContext<'app'>): Record<string, string | number> {
  const edges = hostsOf(inventory, 'edge');
  const { apiName, sipName, storage } = inventory;
  return {
    HTTP_HOST: host.address,
    HTTP_PORT: appPorts.api,
    OPS_HOST: host.address,
    PUBLIC_URL: `https://${apiName}`,
    CONSOLE_URL: `https://${apiName}`,
    API_URL: `http://${host.address}:${appPorts.api}`,
    TRUSTED_PROXIES: hostsOf(inventory, 'balancer')
      .map(({ address }) => address)
      .join(','),
    MAIL_FROM: inventory.mailFrom,
    ACCOUNT_DOMAIN_SUFFIX: `.${sipName}`,
    STORAGE_URL: storage.url,
    ...(storage.accessKeyId && { S3_ACCESS_KEY_ID: storage.accessKeyId }),
    ...(storage.caFile && { NODE_EXTRA_CA_CERTS: storage.caFile }),
    DATABASE_MACHINES: hostsOf(inventory, 'database')
      .map(({ address }) => address)
      .join(','),
    VOICE_HOST: host.address,
    VOICE_PORT: appPorts.voice,
    VOICE_TLS_PORT: appPorts.voiceTls,
    ...(inventory.voiceTls === 'optional' && {
      VOICE_PLAIN_NETWORKS: `127.0.0.0/8,${inventory.private.network}`,
    }),
    EDGE_WEBSOCKET_URLS: edges.map(({ publicName }) => `wss://${publicName}:${edgePorts.wss}/sip`).join(','),
    EDGE_TLS_ADDRESS: `${sipName}:${edgePorts.tls}`,
    EDGE_SIP_ADDRESS: `${sipName}:${edgePorts.sip}`,
    TURN_URLS: edges
      .flatMap(({ publicName }) => [
        `turn:${publicName}:${relayPorts.plain}`,
        `turns:${publicName}:${relayPorts.tls}?transport=tcp`,
      ])
      .join(','),
    ...inventory.settings.server,
  };
}

const loaded = (names: string[]): string =>
  names
    .map(
      (name) =>
        `LoadCredential=${name}:/etc/disca/secrets/${name}\nEnvironment=${name.toUpperCase()}_FILE=%d/${name}\n`,
    )
    .join('');

const dropIn = (program: string, text: string): HostFile =>
  plain(`/etc/systemd/system/disca-${program}.service.d/cell.conf`, `[Service]\n${text}`);

const extend = (program: string, names: string[]): HostFile => dropIn(program, loaded(names));

/** The unit of one machine expects the secret of that machine's media node. */
const replaceCredentials = (program: string, names: string[]): HostFile =>
  dropIn(program, `LoadCredential=\nEnvironment=\n${loaded(names)}`);
