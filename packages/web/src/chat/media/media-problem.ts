// Texts that say why media are not shown.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export interface MediaProblem {
  readonly reason: string;
  readonly text: MessageDescriptor;
  /** True if trying again may help. */
  readonly passing: boolean;
}

/** The problem of a picture message whose content cannot be shown as a picture. */
export const NO_PICTURE: MediaProblem = {
  reason: 'no-picture',
  text: msg`This is not a picture that is safe to show. You can save it as a file.`,
  passing: false,
};

/** The error for a picture message that contains something other than a picture. */
export class MediaRefused extends Error {
  readonly fields = { reason: NO_PICTURE.reason };
}

const problems: Readonly<Record<string, Omit<MediaProblem, 'reason'>>> = {
  'no-object': { text: msg`It is not there any more. It was removed, or kept for some time only.`, passing: false },
  'not-yet': { text: msg`The sender has not finished uploading it.`, passing: true },
  changed: { text: msg`It is damaged or was changed on its way, so nothing of it is shown.`, passing: true },
  sealed: { text: msg`The key that opens it is not on this device.`, passing: true },
  'not-media': { text: msg`The message has nothing to load.`, passing: false },
  [NO_PICTURE.reason]: NO_PICTURE,
  network: { text: msg`It could not be loaded. Check the connection.`, passing: true },
};
const other = { text: msg`It could not be loaded.`, passing: true };

interface Failed {
  readonly name?: string;
  readonly fields?: { readonly reason?: unknown; readonly http?: unknown };
}

/** Returns the problem to show for a failed call about media; undefined if the user cancelled the call. */
export function mediaProblem(error: unknown): MediaProblem | undefined {
  const { name, fields = {} }: Failed = typeof error === 'object' && error !== null ? error : {};
  if (name === 'AbortError') return undefined;
  const reason = name === 'NetworkError' ? 'network' : fields.http === 404 ? 'no-object' : String(fields.reason);
  return { reason, ...((Object.hasOwn(problems, reason) ? problems[reason] : undefined) ?? other) };
}
