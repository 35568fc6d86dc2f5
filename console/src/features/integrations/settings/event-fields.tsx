import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type EventType, eventTypes } from '../event-types.ts';
import classes from '../integrations.module.css';

/** Event type checkboxes, with descriptions where there is room. */
export function EventChoice({
  types,
  chosen,
  isExplained = false,
  error,
  onChange,
}: {
  types: EventType[];
  chosen: EventType[];
  isExplained?: boolean;
  error?: string | undefined;
  onChange: (types: EventType[]) => void;
}) {
  const { t } = useTranslation();
  const toggle = (type: EventType, isChosen: boolean): void =>
    onChange(eventTypes.filter((each) => (each === type ? isChosen : chosen.includes(each))));
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.legend}>{t('integrations.events.legend')}</legend>
      {types.map((type) => (
        <Checkbox
          key={type}
          checked={chosen.includes(type)}
          onChange={(event) => toggle(type, event.currentTarget.checked)}
          label={
            <>
              {t(`calls.events.${type}`)} <code className={classes.quiet}>{type}</code>
            </>
          }
          description={isExplained ? t(`integrations.events.${type}`) : undefined}
        />
      ))}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
