import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldReader, Form } from '../../../shared/forms/form.tsx';
import { findCallId } from '../call-id.ts';
import type { TabProps } from '../details.tsx';
import { deliveryStates, eventTypes } from '../event-types.ts';
import classes from '../integrations.module.css';
import type { IntegrationsView } from '../view.ts';

type FilterChange = Partial<Record<'state' | 'type' | 'call', string | undefined>>;

/** Filters deliveries by call, status and event. */
export function Filters({ view, onChange }: Pick<TabProps, 'view' | 'onChange'>) {
  const { t } = useTranslation();
  /** Changes the filter; resets the page and closes the open delivery. */
  const filter = (change: FilterChange): void => {
    const { state, type, call, integration } = { ...view, ...change } as IntegrationsView;
    onChange({
      ...(integration && { integration }),
      ...(state && { state }),
      ...(type && { type }),
      ...(call && { call }),
    });
  };
  return (
    <div className={classes.filters}>
      <CallField key={view.call} callId={view.call ?? ''} onFind={(call) => filter({ call })} />
      <NativeSelect
        label={t('integrations.deliveries.state')}
        value={view.state ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ state: deliveryStates.find((each) => each === value) })
        }
        data={[
          { value: '', label: t('integrations.deliveries.anyState') },
          ...deliveryStates.map((value) => ({ value, label: t(`calls.deliveries.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('integrations.deliveries.type')}
        value={view.type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ type: eventTypes.find((each) => each === value) })
        }
        data={[
          { value: '', label: t('integrations.deliveries.anyType') },
          ...eventTypes.map((value) => ({ value, label: t(`calls.events.${value}`) })),
        ]}
      />
    </div>
  );
}

/** Accepts the id of a call, or the address of its page. */
function CallField({ callId, onFind }: { callId: string; onFind: (callId: string | undefined) => void }) {
  const { t } = useTranslation();
  const [isWrong, setWrong] = useState(false);
  const submit = (field: FieldReader): void => {
    const text = field('call').trim();
    const found = findCallId(text);
    setWrong(text !== '' && !found);
    if (found || text === '') onFind(found);
  };
  return (
    <Form className={classes.callField} onSubmit={submit}>
      <TextInput
        name="call"
        label={t('integrations.deliveries.call')}
        placeholder={t('integrations.deliveries.callHint')}
        defaultValue={callId}
        spellCheck={false}
        autoComplete="off"
        enterKeyHint="search"
        onPaste={(event) => {
          const found = findCallId(event.clipboardData.getData('text'));
          if (!found) return;
          event.preventDefault();
          onFind(found);
        }}
        error={isWrong && t('integrations.explain.noId')}
        rightSection={
          callId !== '' && (
            <CloseButton
              size="sm"
              aria-label={t('integrations.deliveries.anyCall')}
              onClick={() => onFind(undefined)}
            />
          )
        }
      />
    </Form>
  );
}
