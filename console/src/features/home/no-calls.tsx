import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSession } from '../../api/session.ts';
import { placeCallCurl } from '../../shared/format/curl.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Panel } from '../../shared/layout/page.tsx';

/** First steps for an account without calls. */
export function NoCalls() {
  const { t } = useTranslation();
  const { extensions } = useSession();
  const isAdmin = useIsAdmin();
  return (
    <Panel>
      <EmptyState
        icon="calls"
        text={t(extensions.length > 0 ? 'home.empty.call' : 'home.empty.extension')}
        action={
          isAdmin || extensions.length > 0 ? (
            <Button component={Link} to="/extensions">
              {t(extensions.length > 0 ? 'home.empty.openExtensions' : 'home.empty.createExtension')}
            </Button>
          ) : undefined
        }
        curl={placeCallCurl(extensions[0]?.ramal ?? '1000')}
      />
    </Panel>
  );
}
