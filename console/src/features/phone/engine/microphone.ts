import type { MicrophoneError } from '../state.ts';

/** Thrown when no microphone is available. */
export class NoMicrophone extends Error {
  readonly why: MicrophoneError;

  constructor(why: MicrophoneError) {
    super(`Microphone unavailable: ${why}.`);
    this.name = 'NoMicrophone';
    this.why = why;
  }
}

const reasons: Record<string, MicrophoneError> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
};

/** Opens the selected microphone, or any other if it is unplugged. */
export async function openMicrophone(deviceId: string | undefined): Promise<MediaStream> {
  try {
    const audio = deviceId === undefined ? true : { deviceId: { ideal: deviceId } };
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    throw new NoMicrophone(reasons[name] ?? (navigator.mediaDevices === undefined ? 'refused' : 'busy'));
  }
}

export function closeMicrophone(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
