import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import classes from '../dock.module.css';
import { changePhoneSettings, type PhoneSettings, usePhoneSettings } from '../settings.ts';
import { sendCommand, usePhoneState } from '../tabs.ts';

export function OptionsView() {
  const { t } = useTranslation();
  const { user } = useSession();
  const { call } = usePhoneState();
  return (
    <>
      <Devices />
      <Notices />
      <Button
        variant="default"
        disabled={call !== undefined}
        onClick={() => changePhoneSettings(user.uuid, { extensionId: null })}
      >
        {t('phone.off')}
      </Button>
      <span className={classes.quiet}>{t('phone.offHint')}</span>
    </>
  );
}

const kinds = [
  { kind: 'audioinput', name: 'microphone', key: 'microphoneId' },
  { kind: 'audiooutput', name: 'speaker', key: 'speakerId' },
] as const;

function Devices() {
  const { t } = useTranslation();
  const { user } = useSession();
  const settings = usePhoneSettings(user.uuid);
  const devices = useDevices();
  const choose = (change: Partial<PhoneSettings>): void => {
    changePhoneSettings(user.uuid, change);
    sendCommand({ do: 'devices' });
  };
  return kinds
    .filter(({ kind }) => kind === 'audioinput' || 'setSinkId' in HTMLMediaElement.prototype)
    .map(({ kind, name, key }) => (
      <NativeSelect
        key={kind}
        label={t(`phone.devices.${name}`)}
        value={settings[key] ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ [key]: value === '' ? undefined : value })}
        data={[
          { value: '', label: t('phone.devices.standard') },
          ...devices
            .filter((device) => device.kind === kind)
            .map(({ deviceId, label }, index) => ({
              value: deviceId,
              label: label || t('phone.devices.unnamed', { number: index + 1 }),
            })),
        ]}
      />
    ));
}

/** Connected audio devices, without the browser's `default` entry, for which we have our own option. */
function useDevices(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const show = (all: MediaDeviceInfo[]): void =>
      setDevices(all.filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default'));
    const look = (): void => {
      navigator.mediaDevices.enumerateDevices().then(show, () => show([]));
    };
    look();
    navigator.mediaDevices.addEventListener('devicechange', look);
    return () => navigator.mediaDevices.removeEventListener('devicechange', look);
  }, []);
  return devices;
}

function Notices() {
  const { t } = useTranslation();
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  );
  if (permission === 'default') {
    return (
      <Button
        variant="default"
        className={classes.wrapping}
        onClick={() => void Notification.requestPermission().then(setPermission)}
      >
        {t('phone.notify')}
      </Button>
    );
  }
  return (
    <span className={classes.quiet}>
      {t(permission === 'granted' ? 'phone.notifyOn' : 'phone.notifyRefused')}
    </span>
  );
}
