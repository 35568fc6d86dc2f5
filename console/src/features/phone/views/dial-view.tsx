import { ActionIcon, Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/layout/icons.tsx';
import { type DialFault, readDialled } from '../../../shared/phone-number/read-number.ts';
import { AlertNote, StatusNote } from '../../../shared/problems/problem-note.tsx';
import classes from '../dock.module.css';
import { sendCommand, usePhoneState } from '../tabs.ts';
import { DialledContact } from './dialled-contact.tsx';
import { Keypad } from './keypad.tsx';
import { LastCall, PhoneErrorNote } from './notes.tsx';
import { WrapUp } from './wrap-up.tsx';

/** Shown between calls: the last call, and the field for the next number. */
export function DialView({ ramal }: { ramal: string }) {
  const { t } = useTranslation();
  const { line, ended, error } = usePhoneState();
  return (
    <>
      {line === 'lost' && <StatusNote kind="bad">{t('phone.lost')}</StatusNote>}
      {line === 'replaced' && (
        <AlertNote kind="live">
          <p className={classes.text}>{t('phone.replaced', { ramal })}</p>
          <Button variant="default" size="xs" onClick={() => sendCommand({ do: 'takeOver' })}>
            {t('phone.takeOver')}
          </Button>
        </AlertNote>
      )}
      {error && <PhoneErrorNote error={error} />}
      {ended && <LastCall ended={ended} />}
      {ended?.id && <WrapUp key={ended.id} id={ended.id} onDone={() => sendCommand({ do: 'dismiss' })} />}
      {(line === 'ready' || line === 'starting' || line === 'lost') && <Dial isReady={line === 'ready'} />}
    </>
  );
}

function Dial({ isReady }: { isReady: boolean }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<DialFault>();
  const change = (changed: string): void => {
    setText(changed);
    setFault(undefined);
  };
  const call = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const reading = await readDialled(text);
    if ('fault' in reading) {
      setFault(reading.fault);
    } else {
      sendCommand({ do: 'dial', number: reading.digits });
      change('');
    }
  };
  return (
    <form className={classes.dial} onSubmit={(event) => void call(event)}>
      <TextInput
        type="tel"
        name="number"
        autoComplete="off"
        data-first
        aria-label={t('phone.number')}
        placeholder={t('phone.number')}
        value={text}
        error={fault && t(`phone.${fault}`)}
        onChange={(event) => change(event.currentTarget.value)}
        rightSection={
          text !== '' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('phone.erase')}
              onClick={() => change(text.slice(0, -1))}
            >
              <Icon name="left" size={16} />
            </ActionIcon>
          )
        }
      />
      <DialledContact text={text} />
      <Keypad onPress={(key) => change(text + key)} />
      <Button type="submit" disabled={!isReady} leftSection={<Icon name="calls" size={16} />}>
        {t('phone.call')}
      </Button>
    </form>
  );
}
