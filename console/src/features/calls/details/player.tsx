import { Button, useComputedColorScheme } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import WaveSurfer from 'wavesurfer.js';
import { useFormats } from '../../../shared/format/formats.ts';
import { Choice } from '../../../shared/forms/choice.tsx';
import { Icon } from '../../../shared/layout/icons.tsx';
import { styleNonce } from '../../../shared/nonce.ts';
import { computePeaks } from './peaks.ts';
import classes from './recording.module.css';

const speeds = ['0.75', '1', '1.25', '1.5', '2'] as const;
type Speed = (typeof speeds)[number];

const seekSeconds = 5;
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Waveform, aligned with the time axis, and player controls. */
export function Player({
  sound,
  callId,
  axisPosition,
}: {
  sound: Blob;
  callId: string;
  axisPosition: CSSProperties | undefined;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const audio = useRef<HTMLAudioElement>(null);
  const url = useMemo(() => URL.createObjectURL(sound), [sound]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const { wave, position, duration, isPlaying } = useWave(audio, sound);
  const [speed, setSpeed] = useState<Speed>('1');
  const seek = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -seekSeconds, ArrowRight: seekSeconds }[event.key];
    if (!audio.current || step === undefined) return;
    event.preventDefault();
    audio.current.currentTime = Math.min(duration, Math.max(0, audio.current.currentTime + step));
  };
  const toggle = (): void => {
    if (isPlaying) audio.current?.pause();
    else void audio.current?.play().catch(() => undefined);
  };
  const choose = (chosen: Speed): void => {
    setSpeed(chosen);
    if (audio.current) audio.current.playbackRate = Number(chosen);
  };
  return (
    <>
      <div
        ref={wave}
        className={classes.wave}
        style={axisPosition}
        role="slider"
        tabIndex={0}
        aria-label={t('calls.recording.position')}
        aria-valuemin={0}
        aria-valuemax={Math.round(duration)}
        aria-valuenow={Math.round(position)}
        aria-valuetext={clock(position)}
        onKeyDown={seek}
      />
      {/* Recordings have no captions. */}
      <audio ref={audio} src={url} preload="auto">
        <track kind="captions" />
      </audio>
      <div className={classes.controls}>
        <Button
          size="xs"
          leftSection={<Icon name={isPlaying ? 'pause' : 'play'} size={14} />}
          onClick={toggle}
        >
          {t(isPlaying ? 'calls.recording.pause' : 'calls.recording.play')}
        </Button>
        <span className={classes.clock}>
          {clock(position)} / {clock(duration)}
        </span>
        <Choice
          label={t('calls.recording.speed')}
          value={speed}
          options={speeds.map((value) => ({ value, text: `${formats.number(Number(value))}×` }))}
          onChange={choose}
        />
        <a href={url} download={`${callId}.wav`} className={classes.download}>
          <Icon name="download" size={16} />
          {t('calls.recording.download')}
        </a>
      </div>
    </>
  );
}

const heightPx = 56;

/** Draws the waveform in the colours of the theme, and follows playback. */
function useWave(audio: { current: HTMLAudioElement | null }, sound: Blob) {
  const wave = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const [position, setPosition] = useState(0);
  const [duration, setDuration] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const hasBegun = useRef(false);
  useEffect(() => {
    const [container, media] = [wave.current, audio.current];
    if (!container || !media) return;
    let surfer: WaveSurfer | undefined;
    let isGone = false;
    void sound.arrayBuffer().then((bytes) => {
      if (isGone) return;
      const read = computePeaks(bytes);
      setDuration(read.seconds);
      surfer = WaveSurfer.create({
        container,
        media,
        height: heightPx,
        ...readColours(container, scheme),
        barWidth: 2,
        barGap: 1,
        barRadius: 1,
        normalize: true,
        peaks: [read.peaks],
        duration: read.seconds,
        cspNonce: styleNonce(),
      });
      surfer.on('timeupdate', setPosition);
      surfer.on('play', () => setPlaying(true));
      surfer.on('pause', () => setPlaying(false));
      // The user has already clicked to listen, so playback starts immediately.
      if (!hasBegun.current) void media.play().catch(() => undefined);
      hasBegun.current = true;
    });
    return () => {
      isGone = true;
      surfer?.destroy();
    };
  }, [audio, sound, scheme]);
  return { wave, position, duration, isPlaying };
}

function readColours(element: Element, scheme: 'light' | 'dark') {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    waveColor: colour(scheme === 'light' ? '--mantine-color-booth-4' : '--mantine-color-booth-5'),
    progressColor: colour(scheme === 'light' ? '--mantine-color-booth-6' : '--mantine-color-booth-3'),
    cursorColor: colour('--disca-live'),
  };
}
