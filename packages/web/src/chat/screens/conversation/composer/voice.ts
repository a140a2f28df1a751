// Pure functions for voice messages: the format, name and loudness of a recording, and why recording failed.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Formats of recordings, the best first. The first formats can be played nearly everywhere. */
const FORMS = [
  'audio/mp4;codecs=mp4a.40.2',
  'audio/mp4;codecs=opus',
  'audio/webm;codecs=opus',
  'audio/ogg;codecs=opus',
];

/** Returns the format in which this browser should record; undefined lets the browser choose. */
export const recordingForm = (isSupported: (type: string) => boolean): string | undefined => FORMS.find(isSupported);

/** Returns the file name of a recording, made from its MIME type and its time. */
export function recordingName(type: string, time: Date): string {
  const ending = type.includes('mp4') ? 'm4a' : type.includes('ogg') ? 'ogg' : 'webm';
  return `voice-${time.toISOString().slice(0, 19).replace(/[T:]/g, '-')}.${ending}`;
}

const problems: Readonly<Record<string, MessageDescriptor>> = {
  NotAllowedError: msg`The browser does not let this page use the microphone. Allow it in the settings of the site, then try again.`,
  NotFoundError: msg`This device has no microphone.`,
  NotReadableError: msg`Another program is using the microphone.`,
};

/** Returns the text that explains why nothing can be recorded, by the name of the browser's error. */
export const microphoneProblem = (name: string): MessageDescriptor =>
  problems[name] ?? msg`The microphone could not be used.`;

const MIDDLE = 128;

/** Returns how loud a sound is, from 0 to 1, judging by its samples. */
export const loudness = (samples: Uint8Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample - MIDDLE)), 0) / MIDDLE;
