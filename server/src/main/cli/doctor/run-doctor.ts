import { checkAudio } from './audio.ts';
import { checkArchiving, checkBackups } from './backups.ts';
import { checkDatabase, checkMigrations, checkOperatorRole, checkRole } from './database.ts';
import { checkDatabaseDisks } from './database-disks.ts';
import { type Check, type Finding, fault, messageOf } from './finding.ts';
import { checkKeys } from './keys.ts';
import { checkOperators } from './operators.ts';
import { checkCertificates, checkPayments, checkPublicUrl } from './outside.ts';
import { checkReplication } from './replication.ts';
import { checkSettings, readableSettings } from './settings.ts';
import { checkSortOrder } from './sort-order.ts';
import { checkDisks, checkMail, checkRedis, checkStorage } from './stores.ts';
import { checkEdges, checkNodes, checkTrunks } from './telephony.ts';
import { checkClock, checkLedger, checkWebhooks, checkWork } from './work.ts';

export interface Examination {
  environment: Record<string, string | undefined>;
  /** Runs only the checks whose names start with these; all if empty. */
  parts?: string[];
  /** CA certificates in addition to those that Node trusts. */
  ca?: string;
  now?: () => number;
}

/** Runs all checks concurrently and waits for all of them. */
export async function runDoctor({
  environment,
  parts = [],
  ca,
  now = Date.now,
}: Examination): Promise<Finding[]> {
  const settings = readableSettings(environment);
  const checks: Check[] = [
    checkSettings(environment),
    checkDatabase(settings),
    checkRole(settings),
    checkOperatorRole(settings),
    checkOperators(settings),
    checkMigrations(settings),
    checkSortOrder(settings),
    checkReplication(settings),
    checkDatabaseDisks(settings),
    checkRedis(settings),
    checkMail(settings),
    checkStorage(settings),
    checkDisks(environment, settings),
    checkEdges(settings),
    checkKeys(settings),
    checkNodes(settings),
    checkTrunks(settings),
    checkAudio(settings),
    checkPayments(settings),
    checkPublicUrl(settings, ca),
    checkCertificates(settings, now, ca),
    checkClock(settings, now),
    checkWork(settings),
    checkWebhooks(settings),
    checkLedger(settings),
    checkBackups(environment),
    checkArchiving(environment, settings),
  ];
  const selected = checks.filter(
    ({ part }) => parts.length === 0 || parts.some((name) => part.startsWith(name)),
  );
  if (selected.length === 0)
    throw new Error(`Unknown check. Available: ${checks.map(({ part }) => part).join(', ')}.`);
  const findings = await Promise.all(selected.map(findingsOf));
  return findings.flat();
}

async function findingsOf({ part, look, otherwise }: Check): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [fault(part, messageOf(error), otherwise)];
  }
}
