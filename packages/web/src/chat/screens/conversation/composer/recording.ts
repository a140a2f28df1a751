// Records sound from the microphone.
import type { OutgoingMedia } from '@sealpost/sdk';
import { loudness, recordingForm, recordingName } from './voice.ts';

export interface Recording {
  /** Returns how long the recording is now, in milliseconds. */
  elapsed(): number;
  /** Returns how loud the sound is now, from 0 to 1. */
  level(): number;
  finish(): Promise<OutgoingMedia & { readonly bytes: Blob }>;
  /** Ends the recording, and frees the microphone. */
  end(): void;
}

/** Asks for access to the microphone, and begins to record. Throws the browser's error if access is refused. */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const free = (): void => {
    for (const track of stream.getTracks()) track.stop();
  };
  try {
    return record(stream, free);
  } catch (error) {
    free();
    throw error;
  }
}

function record(stream: MediaStream, free: () => void): Recording {
  const mimeType = recordingForm((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType });
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  // It also stops by itself, for example when the microphone is unplugged.
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
  recorder.start();
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  const begun = performance.now();
  const elapsed = (): number => performance.now() - begun;
  return {
    elapsed,
    level() {
      analyser.getByteTimeDomainData(samples);
      return loudness(samples);
    },
    async finish() {
      const duration = Math.round(elapsed());
      if (recorder.state !== 'inactive') recorder.stop();
      await stopped;
      const bytes = new Blob(pieces, { type: recorder.mimeType });
      return { kind: 'audio', name: recordingName(recorder.mimeType, new Date()), bytes, duration };
    },
    end() {
      if (recorder.state !== 'inactive') recorder.stop();
      free();
      void context.close();
    },
  };
}
