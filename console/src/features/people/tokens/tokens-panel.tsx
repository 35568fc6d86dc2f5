import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap } from '../../../api/client.ts';
import { curlWithBody } from '../../../shared/format/curl.ts';
import { ConfirmDialog } from '../../../shared/layout/confirm-dialog.tsx';
import { EmptyState } from '../../../shared/layout/empty-state.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { Panel } from '../../../shared/layout/page.tsx';
import { usePageAction } from '../../../shared/layout/page-action.ts';
import { RowSkeletons } from '../../../shared/layout/skeletons.tsx';
import { ProblemNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../people.module.css';
import { type Token, tokensQuery } from '../queries.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { TokenList } from './token-list.tsx';
import { isSession, nameText } from './token-text.ts';

export function TokensPanel() {
  const { t } = useTranslation();
  const { data = [], isPending, error, refetch } = useQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  usePageAction('new-token', () => setCreating(true));
  const tokens = data.filter((token) => !isSession(token));
  const create = (
    <Button variant="default" leftSection={<Icon name="key" size={16} />} onClick={() => setCreating(true)}>
      {t('people.tokens.open')}
    </Button>
  );
  return (
    <Panel title={t('people.tokens.title')} aside={tokens.length > 0 && create}>
      <p className={classes.lead}>{t('people.tokens.lead')}</p>
      {isPending && <RowSkeletons rows={3} />}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!isPending && !error && tokens.length === 0 && (
        <EmptyState
          icon="key"
          text={t('people.tokens.empty')}
          action={create}
          curl={curlWithBody('/users/accessTokens', '{"name": "CRM", "ttl": 1209600}')}
        />
      )}
      {tokens.length > 0 && (
        <TokenList title={t('people.tokens.title')} tokens={tokens} onRevoke={setRevoked} />
      )}
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
      {revoked && (
        <ConfirmDialog
          title={t('people.tokens.revokeTitle', { name: nameText(t, revoked), prefix: revoked.prefix })}
          actionText={t('people.tokens.revokeSubmit')}
          action={() => revokeToken(revoked)}
          onDone={() => void refetch()}
          onClose={() => setRevoked(undefined)}
        >
          <p className={classes.text}>{t('people.tokens.revokeText')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const revokeToken = ({ prefix }: Token) =>
  unwrap(api.DELETE('/users/accessTokens/{prefix}', { params: { path: { prefix } } }));
