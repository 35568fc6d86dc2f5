import { join } from 'node:path';
import { root } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';
import { testSettings } from '../../harness/platform.ts';
import type { VoicePlatform } from '../../harness/voice/voice-platform.ts';

/** Call control as a separate process that can be killed. */
export interface VoiceProcess {
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Moves call control to a separate process; media nodes reach it at the same address. */
export async function moveVoiceOut(
  platform: VoicePlatform,
  settings: Record<string, string> = {},
): Promise<VoiceProcess> {
  await platform.stopVoice();
  return await startVoiceProcess(platform, platform.voice().port, settings);
}

export async function startVoiceProcess(
  { config, engines }: VoicePlatform,
  port: number,
  settings: Record<string, string> = {},
): Promise<VoiceProcess> {
  const opsPort = await freePort();
  const entryFile = join(root, 'server/src/main/voice.ts');
  const logFile = join(engines.node.engine.dir, 'log', 'voice.log');
  let entry: ProcessRecord | undefined;
  const start = async (): Promise<void> => {
    entry = await startService({
      name: `voice-${port}`,
      command: process.execPath,
      args: [entryFile],
      commandIncludes: entryFile,
      logFile,
      cwd: root,
      ending: politeThenKill,
      outlives: false,
      env: {
        ...testSettings(config.DATABASE_URL, config.REDIS_URL),
        STORAGE_URL: config.STORAGE_URL,
        VOICE_HOST: '127.0.0.1',
        VOICE_PORT: String(port),
        OPS_PORT: String(opsPort),
        ...settings,
      },
      isReady: () => isReady(`http://127.0.0.1:${opsPort}/health/ready`),
    });
  };
  await start();
  return {
    start,
    kill: async () => entry && (await endAndRemove(entry, [{ signal: 'SIGKILL', waitMs: 5_000 }])),
  };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}
