import { pathToFileURL } from 'node:url';
import { builtConsole } from './console-build.ts';
import { builtManual } from './manual-build.ts';
import { inDev } from './paths.ts';
import { knownPort } from './ports.ts';
import { devSecrets } from './secrets.ts';
import { ownerRole, postgresUrl } from './services/postgres.ts';
import { redisUrl } from './services/redis.ts';
import { asText, edgeAddresses, turnAddress } from './voice/cell.ts';
import { knownCell } from './voice/dev-cell.ts';
import { isLinked } from './voice/link.ts';

export const devDatabase = 'disca';
export const appRole = 'disca_app';
export const edgeRole = 'disca_edge_login';
const operatorRole = 'disca_operator_login';

type Environment = Record<string, string>;

const local = (port: number): string => `http://127.0.0.1:${port}`;

export const apiUrl = (): string => local(knownPort('api'));
export const mailUrl = (): string => local(knownPort('mail'));
type OpsPort = 'apiOps' | 'workerOps' | 'voiceOps' | 'shipperOps';
export const readyUrl = (ops: OpsPort): string => `${local(knownPort(ops))}/health/ready`;

export function ownerDatabaseUrl(database: string): string {
  const password = devSecrets().ownerPassword;
  return postgresUrl({ port: knownPort('postgres'), user: ownerRole, password, database });
}

function appDatabaseUrl(): string {
  const password = devSecrets().appPassword;
  return postgresUrl({ port: knownPort('postgres'), user: appRole, password, database: devDatabase });
}

function operatorDatabaseUrl(): string {
  const password = devSecrets().operatorPassword;
  return postgresUrl({ port: knownPort('postgres'), user: operatorRole, password, database: devDatabase });
}

/** For migrations and operator commands. */
export function operatorEnvironment(): Environment {
  return {
    ...serverEnvironment('apiOps'),
    DATABASE_OWNER_URL: ownerDatabaseUrl(devDatabase),
    DATABASE_OPERATOR_URL: operatorDatabaseUrl(),
  };
}

export function serverEnvironment(ops: OpsPort): Environment {
  return {
    NODE_ENV: 'development',
    DATABASE_URL: appDatabaseUrl(),
    REDIS_URL: redisUrl(knownPort('redis')),
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(knownPort('api')),
    OPS_PORT: String(knownPort(ops)),
    PUBLIC_URL: apiUrl(),
    CONSOLE_URL: apiUrl(),
    CONSOLE_DIR: builtConsole() ?? 'console/dist',
    MANUAL_DIR: builtManual() ?? 'docs/.vitepress/dist',
    SMTP_URL: `smtp://127.0.0.1:${knownPort('smtp')}`,
    // The mailbox is on this machine and offers no TLS.
    SMTP_TLS: 'optional',
    MAIL_FROM: 'Disca <no-reply@disca.localhost>',
    // In development, webhooks are received on this machine.
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ACCOUNT_DOMAIN_SUFFIX: '.disca.localhost',
    KEY_RING: devSecrets().keyRing,
    DIGEST_KEYS: devSecrets().digestKeys,
    STORAGE_URL: pathToFileURL(inDev('recordings')).href,
    SHUTDOWN_DELAY_MS: '0',
    VOICE_HOST: '127.0.0.1',
    VOICE_PORT: String(knownPort('voice')),
    // Browser phones cannot use media on the loopback interface, so the phone is disabled there.
    EDGE_WEBSOCKET_URLS: isLinked(knownCell()) ? `wss://${asText(edgeAddresses(knownCell()).wss)}/sip` : '',
    EDGE_TLS_ADDRESS: asText(edgeAddresses(knownCell()).tls),
    EDGE_SIP_ADDRESS: asText(edgeAddresses(knownCell()).public),
    TURN_URLS: `turn:${asText(turnAddress(knownCell()))}`,
    TURN_SECRET: devSecrets().turnSecret,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
  };
}

export function edgeDatabaseUrl(): string {
  const password = devSecrets().edgePassword;
  return postgresUrl({ port: knownPort('postgres'), user: edgeRole, password, database: devDatabase });
}

export function mailSinkEnvironment(): Environment {
  return {
    MAIL_SINK_SMTP_PORT: String(knownPort('smtp')),
    MAIL_SINK_HTTP_PORT: String(knownPort('mail')),
    MAIL_SINK_DIR: inDev('mail'),
  };
}
