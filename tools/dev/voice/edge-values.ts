import type { TemplateValues } from './render.ts';

/** What differs from edge to edge, or is a secret; deploy/kamailio/README.md explains each value. */
export interface EdgeSettings {
  edgeId: number;
  publicAddress: string;
  publicPort: number;
  privateAddress: string;
  privatePort: number;
  /** Of a login role that is a member of disca_edge. */
  databaseUrl: string;
  /** The same on all edges, as is the other one. */
  nonceSecret: string;
  dialogSecret: string;
  /** Thresholds other than the usual ones. */
  limits?: Partial<typeof usualLimits>;
}

const usualLimits = {
  WORKERS: 4,
  MAX_TCP_CONNECTIONS: 4096,
  MAX_TCP_CONNECTIONS_PER_ADDRESS: 1024,
  PING_SECONDS: 30,
  PEERS_SECONDS: 3,
  FLOOD_REQUESTS: 60,
  PAIR_FAILURES: 5,
  ADDRESS_FAILURES: 15,
  ADDRESS_EXTENSIONS: 4,
  EXTENSION_FAILURES: 20,
  FAILURE_SECONDS: 600,
  BAN_SECONDS: 600,
};

/** The values of deploy/kamailio's templates. */
export function edgeValues(settings: EdgeSettings): TemplateValues {
  return {
    ...usualLimits,
    ...settings.limits,
    EDGE_ID: settings.edgeId,
    PUBLIC_ADDRESS: settings.publicAddress,
    PUBLIC_PORT: settings.publicPort,
    ADVERTISED_ADDRESS: settings.publicAddress,
    PRIVATE_ADDRESS: settings.privateAddress,
    PRIVATE_PORT: settings.privatePort,
    DATABASE_URL: settings.databaseUrl,
    NONCE_SECRET: settings.nonceSecret,
    DIALOG_SECRET: settings.dialogSecret,
  };
}
