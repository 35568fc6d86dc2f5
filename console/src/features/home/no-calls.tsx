import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { placeCallCurl } from '../../shared/format/curl.ts';
import { EmptyState } from '../../shared/layout/empty-state.tsx';
import { Panel } from '../../shared/layout/page.tsx';

/** How to make a first call. The first steps above have the buttons. */
export function NoCalls() {
  const { t } = useTranslation();
  const { extensions } = useSession();
  return (
    <Panel>
      <EmptyState icon="calls" text={t('home.empty')} curl={placeCallCurl(extensions[0]?.ramal ?? '1000')} />
    </Panel>
  );
}
