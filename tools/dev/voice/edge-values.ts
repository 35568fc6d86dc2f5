import type { EdgeAddresses } from './cell.ts';
import type { TemplateValues } from './render.ts';

/** Settings that differ between edges, or are secret; deploy/kamailio/README.md explains each value. */
export interface EdgeSettings {
  addresses: EdgeAddresses;
  /** Public address, if behind NAT. */
  advertisedAddress?: string;
  /** Origins of pages that may open a WebSocket. */
  consoleOrigins?: string[];
  /** Database URL with a login role that is a member of disca_edge. */
  databaseUrl: string;
  /** This and the next secret are the same on all edges. */
  nonceSecret: string;
  dialogSecret: string;
  /** Keys of HA1s; the same on all edges and in api. Without them the edge has none. */
  digestKeys?: string;
  /** Overrides of the default thresholds. */
  limits?: Partial<typeof usualLimits>;
}

/** The same as those of the images (deploy/containers/bin/start-edge). */
export const usualLimits = {
  WORKERS: 4,
  MAX_TCP_CONNECTIONS: 4096,
  MAX_TCP_CONNECTIONS_PER_ADDRESS: 100,
  UNREGISTERED_SECONDS: 20,
  PING_SECONDS: 30,
  PEERS_SECONDS: 3,
  FLOOD_REQUESTS: 60,
  BEGUN_CALLS: 20,
  PAIR_FAILURES: 5,
  ADDRESS_FAILURES: 15,
  ADDRESS_EXTENSIONS: 4,
  EXTENSION_FAILURES: 20,
  FAILURE_SECONDS: 600,
  BAN_SECONDS: 600,
};

/** Host names under which browsers reach the edge. */
export const edgeNames = ({ addresses, advertisedAddress }: EdgeSettings): string[] => [
  ...new Set([advertisedAddress ?? addresses.public.address, addresses.public.address, 'localhost']),
];

/** Returns the values for the templates of deploy/kamailio. */
export function edgeValues(settings: EdgeSettings): TemplateValues {
  const { addresses } = settings;
  return {
    ...usualLimits,
    ...settings.limits,
    EDGE_ID: addresses.id,
    PUBLIC_ADDRESS: addresses.public.address,
    PUBLIC_PORT: addresses.public.port,
    TLS_PORT: addresses.tls.port,
    WSS_PORT: addresses.wss.port,
    ADVERTISED_ADDRESS: settings.advertisedAddress ?? addresses.public.address,
    PRIVATE_ADDRESS: addresses.private.address,
    PRIVATE_PORT: addresses.private.port,
    WEBSOCKET_HOSTS: edgeNames(settings).join(' '),
    CONSOLE_ORIGINS: (settings.consoleOrigins ?? ['https://console.disca.localhost']).join(' '),
    DATABASE_URL: settings.databaseUrl,
    NONCE_SECRET: settings.nonceSecret,
    DIALOG_SECRET: settings.dialogSecret,
    DIGEST_KEYS: settings.digestKeys ?? 'none',
  };
}
