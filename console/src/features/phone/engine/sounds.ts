/** Synthesized sounds, so that none has to be loaded: Brazilian ring and ringback tones. */
export type Sound = 'ring' | 'ringback';

/** Frequencies in Hz, and start and end of each burst in seconds; repeated after the period. */
const patterns: Record<
  Sound,
  { hertz: number[]; bursts: [number, number][]; every: number; volume: number }
> = {
  ring: {
    hertz: [440, 520],
    bursts: [
      [0, 0.4],
      [0.6, 1],
    ],
    every: 3,
    volume: 0.12,
  },
  ringback: { hertz: [425], bursts: [[0, 1]], every: 5, volume: 0.05 },
};
const edgeSeconds = 0.02;

/** Browsers block audio until the first click in the page; then the sound starts. */
let player: AudioContext | undefined;

/** Plays a sound. Returns a function that stops it. */
export function play(sound: Sound): () => void {
  player ??= new AudioContext();
  const context = player;
  const { hertz, bursts, every, volume } = patterns[sound];
  const gain = new GainNode(context, { gain: 0 });
  gain.connect(context.destination);
  const voices = hertz.map((frequency) => new OscillatorNode(context, { frequency }));
  for (const voice of voices) {
    voice.connect(gain);
    voice.start();
  }
  const plan = (): void => {
    const now = context.currentTime;
    for (const [from, to] of bursts) {
      gain.gain.setTargetAtTime(volume / hertz.length, now + from, edgeSeconds);
      gain.gain.setTargetAtTime(0, now + to, edgeSeconds);
    }
  };
  const resume = (): void => void context.resume().catch(() => undefined);
  resume();
  document.addEventListener('pointerdown', resume);
  plan();
  const timer = setInterval(plan, every * 1_000);
  return () => {
    clearInterval(timer);
    document.removeEventListener('pointerdown', resume);
    for (const voice of voices) voice.stop();
    gain.disconnect();
  };
}
