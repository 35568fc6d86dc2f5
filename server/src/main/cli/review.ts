import { Command } from 'commander';
import { liftReview, listReviews, type Review, reviewAccount } from '../../contexts/abuse/index.ts';
import { showAccount } from '../../contexts/accounts/index.ts';
import { answer, asOperator, withJson } from './operator.ts';

interface Options {
  json?: boolean;
  lift?: boolean;
}

/** The command `disca account review`. */
export const reviewCommand = (): Command =>
  withJson(
    new Command('review')
      .description('show what looked like abuse of an account; without one, the accounts to review')
      .argument('[account]', 'domain, UUID or number of the account')
      .option('--lift', 'allow outbound calls again, and accept what was noticed for a week'),
  ).action((name: string | undefined, options: Options) =>
    name === undefined ? printReviews(options) : printReview(name, options),
  );

async function printReviews(options: Options): Promise<void> {
  await asOperator(async (operator) => {
    const reviews = await listReviews(operator);
    const lines = reviews.map(
      ({ at, domain, isSuspended, reason }) =>
        `${at.toISOString()} ${domain}${isSuspended ? ' (suspended)' : ''} ${reason}`,
    );
    answer(options, reviews, lines.join('\n') || 'No accounts to review.');
  });
}

async function printReview(name: string, options: Options): Promise<void> {
  await asOperator(async (operator) => {
    const { id, domain } = await showAccount(operator, name);
    const review = await reviewAccount(operator, id);
    if (options.lift) await liftReview(operator, id);
    answer(options, review, reviewText(domain, review, options.lift === true));
  });
}

function reviewText(domain: string, { suspension, signals }: Review, isLifted: boolean): string {
  const since = suspension && `since ${suspension.at.toISOString()}: ${suspension.reason}`;
  const calling = since
    ? `Outbound calls of ${domain} ${isLifted ? 'are allowed again; they were' : 'are'} suspended ${since}`
    : `Outbound calls of ${domain} are not suspended.`;
  const noticed = signals.map(
    ({ at, kind, action, explanation, liftedAt }) =>
      `${at.toISOString()} ${kind} (${action}${liftedAt ? ', lifted' : ''}): ${explanation}`,
  );
  return [calling, ...noticed].join('\n');
}
