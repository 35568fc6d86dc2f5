import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { contactFaultText } from '../../../shared/contacts/fault-text.ts';
import { csvCell } from '../../../shared/csv/csv-cell.ts';
import { SaveTextButton } from '../../../shared/csv/save-text-button.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import classes from './import.module.css';
import { columns } from './read-rows.ts';
import type { SentRow } from './send-rows.ts';

/** Rows that are shown; the file has all of them. */
const maxShown = 200;

/** The refused rows with their reasons, in the order of the file; nothing if there are none. */
export function RefusedRows({ rows }: { rows: SentRow[] }) {
  const { t } = useTranslation();
  const refused = rows
    .filter(({ result }) => result.outcome === 'refused')
    .toSorted((one, other) => one.row.line - other.row.line);
  const reason = ({ result }: SentRow): string => contactFaultText(t, { code: result.code ?? '' });
  const names = columns.map((column) => t(`contacts.import.columns.${column}`));
  const text = (): string =>
    [
      [...names, t('contacts.import.reason')],
      ...refused.map((each) => [...columns.map((column) => each.row.cells[column]), reason(each)]),
    ]
      .map((cells) => cells.map(csvCell).join(';'))
      .join('\r\n');
  if (refused.length === 0) return null;
  return (
    <div className={classes.refused}>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <Box
        component="section"
        className={classes.scroll}
        tabIndex={0}
        aria-label={t('contacts.import.refusedRows')}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              {[t('contacts.import.line'), ...names, t('contacts.import.reason')].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {refused.slice(0, maxShown).map((each) => (
              <tr key={each.row.line}>
                <th scope="row" data-name={t('contacts.import.line')}>
                  {each.row.line}
                </th>
                {columns.map((column, n) => (
                  <td
                    key={column}
                    data-column={column}
                    data-name={names[n]}
                    data-empty={each.row.cells[column] === ''}
                  >
                    {each.row.cells[column]}
                  </td>
                ))}
                <td data-name={t('contacts.import.reason')}>
                  <span className={classes.fault}>
                    <Icon name="warning" size={12} />
                    {reason(each)}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      {refused.length > maxShown && (
        <p className={classes.quiet}>{t('contacts.import.notShown', { count: refused.length - maxShown })}</p>
      )}
      <SaveTextButton name={t('contacts.import.refusedFile')} text={text}>
        {t('contacts.import.saveRefused')}
      </SaveTextButton>
    </div>
  );
}
