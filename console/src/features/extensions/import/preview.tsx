import { Box } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../../shared/forms/choice.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { explainFault } from '../../../shared/problems/problem-text.ts';
import type { CellFault } from './check-rows.ts';
import classes from './import.module.css';
import { type Column, columns, type Row } from './read-rows.ts';

/** Row limit of the preview; rows with errors come first. */
const maxShown = 200;

export function Preview({ rows, faults }: { rows: Row[]; faults: CellFault[] }) {
  const { t } = useTranslation();
  const bad = new Set(faults.map(({ row }) => row));
  const [which, setWhich] = useState<'faulty' | 'all'>(bad.size > 0 ? 'faulty' : 'all');
  const chosen = which === 'faulty' ? rows.filter((row) => bad.has(row)) : rows;
  return (
    <div className={classes.preview}>
      {bad.size > 0 && (
        <Choice
          label={t('extensions.import.which')}
          value={which}
          options={[
            { value: 'faulty', text: t('extensions.import.onlyFaulty') },
            { value: 'all', text: t('extensions.import.allRows') },
          ]}
          onChange={setWhich}
        />
      )}
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <Box
        component="section"
        className={classes.scroll}
        tabIndex={0}
        aria-label={t('extensions.import.preview')}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('extensions.import.line')}</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chosen.slice(0, maxShown).map((row) => (
              <PreviewRow key={row.line} row={row} faults={faults.filter((fault) => fault.row === row)} />
            ))}
          </tbody>
        </table>
      </Box>
      {chosen.length > maxShown && (
        <p className={classes.quiet}>
          {t('extensions.import.notShown', { count: chosen.length - maxShown })}
        </p>
      )}
    </div>
  );
}

function PreviewRow({ row, faults }: { row: Row; faults: CellFault[] }) {
  const { t } = useTranslation();
  return (
    <tr>
      <th scope="row" data-name={t('extensions.import.line')}>
        {row.line}
      </th>
      {columns.map((column) => (
        <Cell
          key={column}
          column={column}
          text={row.cells[column]}
          isGenerated={column === 'senha' && row.isPasswordGenerated}
          fault={faults.find((fault) => fault.column === column)}
        />
      ))}
    </tr>
  );
}

function Cell({
  column,
  text,
  isGenerated,
  fault,
}: {
  column: Column;
  text: string;
  isGenerated: boolean;
  fault: CellFault | undefined;
}) {
  const { t } = useTranslation();
  const ownText =
    fault?.code === 'duplicate' && column === 'ramal' ? t('extensions.form.faults.taken') : undefined;
  return (
    <td data-name={column} data-fault={fault !== undefined} data-empty={text === ''}>
      {isGenerated ? <span className={classes.quiet}>{t('extensions.import.madeForYou')}</span> : text}
      {fault && (
        <span className={classes.fault}>
          <Icon name="warning" size={12} />
          {ownText ?? explainFault(t, fault)}
        </span>
      )}
    </td>
  );
}
