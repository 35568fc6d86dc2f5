import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../shared/layout/page.tsx';
import { CostDownload, CostPart } from './cost-part.tsx';
import classes from './credit.module.css';
import { LinesDownload, LinesPart } from './lines-part.tsx';
import { currentMonth, type StatementPart, statementParts, validateSearch } from './view.ts';

/** The statement by entry, or the calls of a month by extension and person. */
export function StatementPanel() {
  const { t } = useTranslation();
  const { account } = useSession();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/credit' });
  const { part = 'entries', type, month } = search;
  const costMonth = month ?? currentMonth(account.timezone);
  const show = (next: StatementPart): void => {
    void navigate({ to: '/credit', search: validateSearch({ ...search, part: next }), resetScroll: false });
  };
  return (
    <Panel
      title={t('credit.statement.title')}
      aside={
        part === 'entries' ? <LinesDownload type={type} month={month} /> : <CostDownload month={costMonth} />
      }
    >
      <Tabs value={part} onChange={(next) => show(next as StatementPart)} keepMounted={false}>
        <Tabs.List aria-label={t('credit.statement.parts.label')}>
          {statementParts.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`credit.statement.parts.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="entries" className={classes.part}>
          <LinesPart type={type} month={month} />
        </Tabs.Panel>
        <Tabs.Panel value="extensions" className={classes.part}>
          <CostPart month={costMonth} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
