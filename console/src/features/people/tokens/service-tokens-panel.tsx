import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../people.module.css';
import { serviceTokensQuery, type Token } from '../queries.ts';
import { TokenList } from './token-list.tsx';
import { nameText } from './token-text.ts';

/** The tokens of the account, for ADMINs; nothing if there are none. */
export function ServiceTokensPanel() {
  const { t } = useTranslation();
  const { data = [], error, refetch } = useQuery(serviceTokensQuery);
  const [revoked, setRevoked] = useState<Token>();
  if (!error && data.length === 0) return null;
  return (
    <Panel title={t('people.tokens.serviceTitle')}>
      <p className={classes.lead}>{t('people.tokens.serviceLead')}</p>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <TokenList title={t('people.tokens.serviceTitle')} tokens={data} onRevoke={setRevoked} />
      {revoked && (
        <ConfirmDialog
          title={t('people.tokens.revokeTitle', { name: nameText(t, revoked), prefix: revoked.prefix })}
          actionText={t('people.tokens.revokeSubmit')}
          action={() => revokeServiceToken(revoked)}
          onDone={() => void refetch()}
          onClose={() => setRevoked(undefined)}
        >
          <p className={classes.text}>{t('people.tokens.revokeText')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const revokeServiceToken = ({ prefix }: Token) =>
  unwrap(api.DELETE('/accounts/accessTokens/{prefix}', { params: { path: { prefix } } }));
