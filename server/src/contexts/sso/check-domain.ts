import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import { lockAdminsFor } from '../users/index.ts';
import type { FindTxtRecords } from './ports.ts';
import { presentDomain, type SettingsDeps } from './settings.ts';
import { recordOf, tokensIn } from './sso.rules.ts';
import { findDomains, proveDomain } from './sso.store.ts';

export interface CheckDomainDeps extends SettingsDeps {
  findTxtRecords: FindTxtRecords;
}

/** Records that are returned, so that the ADMIN sees what DNS answers. */
const mostShown = 10;

/**
 * Looks for the TXT record of a domain of the account. A proved domain stays proved until another account proves it. The
 * settings may change while DNS is asked, so that what it returns counts only if it is the record at the end.
 */
export async function checkDomain(deps: CheckDomainDeps, caller: Caller, domain: string) {
  const { accountId } = caller;
  const find = () => inAccount(deps.db, accountId, (tx) => findDomains(tx, accountId));
  const own = (await find()).find((each) => each.domain === domain);
  if (!own) throw notFound();
  const { recordName } = recordOf(own);
  const records = await deps.findTxtRecords(recordName);
  if (records === undefined)
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      `The name servers of ${domain} did not respond. Try again later.`,
    );
  if (tokensIn(records).includes(own.token)) await prove(deps, caller, domain, tokensIn(records));
  const checked = (await find()).find((each) => each.domain === domain);
  if (!checked) throw notFound();
  return { ...presentDomain(checked), found: records.slice(0, mostShown).map((text) => text.slice(0, 255)) };
}

async function prove(
  { db, clock }: CheckDomainDeps,
  caller: Caller,
  domain: string,
  tokens: string[],
): Promise<void> {
  const { accountId } = caller;
  const at = clock.now();
  await inAccount(db, accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const before = (await findDomains(tx, accountId)).find((each) => each.domain === domain);
    const isProved = await proveDomain(tx, accountId, domain, tokens, at);
    if (isProved === false)
      throw new Refusal(
        'SSO_DOMAIN_TAKEN',
        'Another account uses this domain, and its record is still in DNS. Remove that record first.',
      );
    if (!isProved || before?.provedAt) return;
    await recordChangeBy(tx, caller, {
      at,
      action: 'sso.prove-domain',
      target: { type: 'domain', id: domain },
    });
  });
}
