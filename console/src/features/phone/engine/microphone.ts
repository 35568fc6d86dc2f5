import type { MicrophoneTrouble } from '../state.ts';

/** There is no microphone to be had, and why. */
export class NoMicrophone extends Error {
  readonly why: MicrophoneTrouble;

  constructor(why: MicrophoneTrouble) {
    super(`No microphone: ${why}.`);
    this.name = 'NoMicrophone';
    this.why = why;
  }
}

const reasons: Record<string, MicrophoneTrouble> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
};

/** The microphone that was chosen, or any other if that one is gone. */
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
