import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type FakeAsaas, startAsaas } from '../../../simulator/asaas/index.ts';
import { type MailSink, startMailSink } from '../../../simulator/mail-sink/index.ts';
import { type RunningRedis, startRedis } from '../../../tools/dev/services/redis.ts';
import { asText } from '../../../tools/dev/voice/cell.ts';
import { certificateAuthority } from '../../../tools/dev/voice/certificates.ts';
import { runDoctor } from '../../src/main/cli/doctor/run-doctor.ts';
import { testSettings } from '../harness/platform.ts';
import { startVoicePlatform, type VoicePlatform } from '../voice/harness/voice-platform.ts';

/** Every part there is, for real, and what a process of it would be told. */
export interface Scene {
  platform: VoicePlatform;
  asaas: FakeAsaas;
  mail: MailSink;
  redis: RunningRedis;
  folder: string;
  environment: Record<string, string>;
  /** Certificates of the authority of the edges. */
  ca: string;
  /** What the doctor says of one part, with settings changed. */
  ask(
    part: string,
    changes?: Record<string, string>,
    more?: { ca?: string; now?: () => number },
  ): Promise<Said[]>;
  close(): Promise<void>;
}

/** State, what is seen, and what to do. */
export type Said = [state: string, says: string, advice: string];

const apiKey = 'the key of the doctor';

export async function startScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'disca-doctor-'));
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const [platform, asaas, mail, redis] = await Promise.all([
    startVoicePlatform(),
    startAsaas({ apiKey, webhookToken: 'a token of the doctor' }),
    startMailSink(),
    startRedis({ dir: join(folder, 'redis') }),
  ]);
  const [edge] = platform.engines.edges;
  const apiUrl = await platform.app.listen({ host: '127.0.0.1', port: 0 });
  const ca = readFileSync(await certificateAuthority(), 'utf8');
  const environment: Record<string, string> = {
    ...testSettings(platform.database.serviceUrl, inject('redisUrl')),
    DATABASE_OWNER_URL: platform.database.ownerUrl,
    REDIS_URL: redis.url,
    SMTP_URL: mail.smtpUrl,
    STORAGE_URL: `file://${recordings}`,
    PUBLIC_URL: apiUrl,
    CONSOLE_URL: apiUrl,
    ASAAS_URL: asaas.url,
    ASAAS_API_KEY: apiKey,
    ASAAS_WEBHOOK_TOKEN: 'a token of the doctor',
    EDGE_WEBSOCKET_URLS: edge ? `wss://${asText(edge.place.wss)}/sip` : '',
    BACKUP_DIR: folder,
  };
  return {
    platform,
    asaas,
    mail,
    redis,
    folder,
    environment,
    ca,
    async ask(part, changes = {}, more = {}) {
      const found = await runDoctor({
        environment: { ...environment, ...changes },
        parts: [part],
        ca,
        ...more,
      });
      return found.map(({ state, says, advice = '' }) => [state, says, advice]);
    },
    async close() {
      await platform.close();
      await Promise.all([asaas.stop(), mail.stop(), redis.stop('kill')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
