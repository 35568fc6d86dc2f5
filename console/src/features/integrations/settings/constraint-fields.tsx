import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import classes from '../integrations.module.css';
import { type ConstraintLine, newLine } from './constraint.ts';
import type { DraftProps } from './url-field.tsx';

const maxLines = 50;
const example = { name: 'deal', value: 'D-1024' };

/** Only calls whose metadata matches all of these are sent. */
export function ConstraintFields({ draft, faults, onChange }: DraftProps) {
  const { t } = useTranslation();
  const { lines } = draft;
  const put = (changed: ConstraintLine[]): void => onChange({ ...draft, lines: changed });
  const change = (line: ConstraintLine, part: Partial<ConstraintLine>): void =>
    put(lines.map((each) => (each.key === line.key ? { ...each, ...part } : each)));
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.legend}>{t('integrations.constraint.legend')}</legend>
      <p className={classes.hint}>{t('integrations.constraint.hint')}</p>
      {lines.map((line, index) => (
        <div key={line.key} className={classes.line}>
          <TextInput
            label={t('integrations.constraint.name')}
            placeholder={example.name}
            value={line.name}
            onChange={(event) => change(line, { name: event.currentTarget.value })}
          />
          <TextInput
            label={t('integrations.constraint.value')}
            placeholder={example.value}
            value={line.value}
            onChange={(event) => change(line, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('integrations.constraint.remove', { position: index + 1 })}
            onClick={() => put(lines.filter(({ key }) => key !== line.key))}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </div>
      ))}
      {faults.lines && (
        <p className={classes.error} role="alert">
          {t('integrations.faults.lines.tooMuch')}
        </p>
      )}
      {lines.length < maxLines && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => put([...lines, newLine()])}
        >
          {t('integrations.constraint.add')}
        </Button>
      )}
    </fieldset>
  );
}
