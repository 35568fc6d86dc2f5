import { chownSync, copyFileSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  backupCertificateKeyOf,
  backupCertificateOf,
  createCertificates,
  nodeCertificateKeyOf,
  nodeCertificateOf,
} from '../../../../deploy/inventory/certificates.ts';
import { root } from '../../../../tools/dev/paths.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import type { PostgresUser } from '../../../../tools/dev/services/postgres-programs.ts';
import { renderFolder, type TemplateValues } from '../../../../tools/dev/voice/render.ts';
import type { DatabaseCluster } from '../../harness/hosts/database-cluster.ts';
import type { Host } from '../../harness/hosts/host-network.ts';

/** A host with the repository of the backups of a cluster, from the templates of deploy/pgbackrest. */
export interface BackupHost {
  host: Host;
  /** Variables that name the configuration of pgBackRest on this host. */
  environment: Record<string, string>;
  /** Writes the configuration of a database host whose files are in `own`; returns the variables that name it. */
  prepareDatabase(own: string, host: Host): Record<string, string>;
  /** Starts the servers of pgBackRest on all hosts. */
  start(cluster: DatabaseCluster): Promise<void>;
  /** Options with which pgBackRest on a database host uses the certificate of a media node. */
  asMediaNode(): string;
}

const port = 8432;
const templates = join(root, 'deploy/pgbackrest');
const serverName = 'pgbackrest';

export function describeBackupHost(
  host: Host,
  dir: string,
  { user, cipherPass }: { user: PostgresUser; cipherPass: string },
): BackupHost {
  const common = {
    CIPHER_PASS: cipherPass,
    PROCESSES: 2,
    IO_SECONDS: 4,
    PORT: 5432,
    DATABASE_USER: 'postgres',
  };
  /** Writes a file of each of these templates, and the certificate of the machine. */
  const configure = (own: string, machine: Host, [main, repository]: string[], values: TemplateValues) => {
    const config = join(own, 'pgbackrest');
    const folders = { LOGS: config, LOCKS: config, SPOOL: join(config, 'spool') };
    const paths = { ...common, ...folders, CERTIFICATES: join(config, 'tls') };
    const all = { ...paths, ADDRESS: machine.address, ...values };
    renderFolder(join(templates, main ?? ''), config, all);
    renderFolder(join(templates, repository ?? ''), join(config, 'conf.d'), all);
    installCertificate(join(dir, 'secrets'), machine, join(config, 'tls'));
    for (const path of ['.', 'pgbackrest.conf', 'conf.d', 'conf.d/repository.conf', ...certificates])
      chownSync(join(config, path), user.uid, user.gid);
    return variablesOf(own);
  };
  const startServer = (machine: Host, env: Record<string, string>): Promise<void> =>
    machine.start({
      name: serverName,
      command: '/usr/bin/pgbackrest',
      args: ['server'],
      commandIncludes: 'pgbackrest',
      env,
      logFile: join(dir, `${machine.name}-server.log`),
      cwd: '/',
      ending: politeThenKill,
      user,
      isReady: () => accepts(machine.address),
    });
  const own = join(dir, host.name);
  const environment = variablesOf(own);
  return {
    host,
    environment,
    prepareDatabase: (folder, machine) =>
      configure(folder, machine, ['database', 'host'], {
        BACKUP_HOST: host.address,
        BACKUP_HOST_NAME: host.name,
        DATA: join(folder, 'data'),
        SOCKETS: folder,
      }),
    async start(cluster) {
      const folder = join(own, 'repository');
      mkdirSync(folder, { recursive: true });
      chownSync(folder, user.uid, user.gid);
      configure(own, host, ['backup-host', 'folder'], { FOLDER: folder, ...describeDatabases(cluster) });
      const servers = cluster.hosts.map((each) => startServer(each, cluster.filesOf(each).environment ?? {}));
      await Promise.all([startServer(host, environment), ...servers]);
    },
    asMediaNode() {
      const [secrets, node] = [join(dir, 'secrets'), 'media1'];
      createCertificates(secrets, [node]);
      const files = [nodeCertificateOf(node), nodeCertificateKeyOf(node)].map((name) => join(secrets, name));
      for (const file of files) chownSync(file, user.uid, user.gid);
      return `--repo1-host-cert-file=${files[0]} --repo1-host-key-file=${files[1]}`;
    },
  };
}

const variablesOf = (own: string): Record<string, string> => ({
  PGBACKREST_CONFIG: join(own, 'pgbackrest/pgbackrest.conf'),
  PGBACKREST_CONFIG_INCLUDE_PATH: join(own, 'pgbackrest/conf.d'),
});

const certificates = ['tls', 'tls/authority.crt', 'tls/machine.crt', 'tls/machine.key'];

/** Copies the certificate of a machine, which the inventory creates, to where pgBackRest reads it. */
function installCertificate(secrets: string, { name, address }: Host, folder: string): void {
  for (const each of [secrets, folder]) mkdirSync(each, { recursive: true });
  createCertificates(secrets, [], [{ name, address }]);
  copyFileSync(join(secrets, 'node_authority'), join(folder, 'authority.crt'));
  copyFileSync(join(secrets, backupCertificateOf(name)), join(folder, 'machine.crt'));
  copyFileSync(join(secrets, backupCertificateKeyOf(name)), join(folder, 'machine.key'));
}

const describeDatabases = ({ hosts, filesOf }: DatabaseCluster): TemplateValues =>
  Object.fromEntries(
    hosts.flatMap((host, index): [string, string][] => {
      const { own, dataFolders } = filesOf(host);
      return [
        [`DATABASE_${index + 1}`, host.address],
        [`DATABASE_${index + 1}_NAME`, host.name],
        [`DATA_${index + 1}`, dataFolders[0]],
        [`SOCKETS_${index + 1}`, own],
      ];
    }),
  );

const accepts = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    const finish = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
