// Runs an action, and shows the result at the lower edge of the page.
import { t } from '@lingui/core/macro';
import { AdminError } from '@sealpost/sdk/admin';
import { toast } from '../../design/toast.ts';
import { refusalText, ruleText } from './refusals.ts';
import { isRefused, noteEnd } from './session.ts';

export interface ActOptions {
  /** The text that says what was done. */
  readonly done: string;
  /** Undoes the action. The button to undo is shown for five seconds. */
  readonly undo?: () => Promise<unknown>;
  /**
   * Runs after the action, and after the action was undone. Also runs after a failure, with false: another administrator
   * may have been faster, or the server did it and its answer was lost.
   */
  readonly after?: (isDone: boolean) => Promise<unknown>;
  /** Returns the text for a failure; undefined if the usual text fits. */
  readonly explain?: (error: unknown) => Promise<string | undefined>;
}

/** Returns a text for the administrator that explains an error. */
export function reasonOf(error: unknown): string {
  if (isOfPasskey(error)) return t`The browser used no passkey. Try again.`;
  if (!(error instanceof AdminError)) return t`The server does not answer. Is it running?`;
  if (isRefused(error)) return t`Your session has ended. Log in again.`;
  if (error.status === 429) return t`Too many attempts. Try again later.`;
  if (!error.isForeign) return refusalText(error) ?? error.detail;
  // Browsers hide the status of a redirect that they do not follow, and tell 0.
  const status = error.status || '3xx';
  return t`Something in front of the server answered for the admin API, with HTTP ${status}. A proxy must let /api/admin/ through. Or open this page at the server’s own address.`;
}

/** Returns the error if it is a refusal of the admin API; undefined for errors of the network, a proxy or the browser. */
export const refusalOf = (error: unknown): AdminError | undefined =>
  error instanceof AdminError && !error.isForeign ? error : undefined;

/** Returns true for the errors of a browser that makes or uses no passkey, such as when the person refuses. */
const isOfPasskey = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'InvalidStateError', 'SecurityError'].includes(error.name);

/** Runs an action. If it fails, shows the reason and returns false. */
export async function act(
  action: () => Promise<unknown>,
  { done, undo, after, explain }: ActOptions,
): Promise<boolean> {
  try {
    await action();
  } catch (error) {
    await showFailure(error, await explain?.(error));
    if (!isRefused(error)) void after?.(false);
    return false;
  }
  await after?.(true);
  const takeBack = async (): Promise<void> => {
    try {
      await undo?.();
    } catch (error) {
      await showFailure(error, await explain?.(error));
    }
    await after?.(false);
  };
  toast({ text: done, ...(undo && { action: { label: t`Undo`, run: () => void takeBack() } }) });
  return true;
}

/**
 * Shows why an action failed. If the session has ended, the login says so.
 * @param text the text to show instead of the usual one
 */
export async function showFailure(error: unknown, text?: string): Promise<void> {
  if (await noteEnd(error)) return;
  toast({ text: text ?? (isLost(error) ? lostText() : t`That did not work: ${reasonOf(error)}`) });
}

/** Returns true for the error of a call without an answer of the server. A proxy may have answered for it. */
export const isLost = (error: unknown): boolean =>
  error instanceof AdminError ? error.isForeign && error.status >= 500 : !isOfPasskey(error);

/** Returns the text for an action without an answer. The server may have done it. */
export const lostText = (): string =>
  t`The server did not answer, but this may have been done. Look before you try again.`;

/** Returns the faults by the names of their fields. A fault that does not belong to one field has the name "". */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof AdminError)) return { '': reasonOf(error) };
  const faults = error.errors.map(({ field, message, code }) => [field, ruleText(code) ?? message] as const);
  if (faults.length > 0) return Object.fromEntries(faults);
  return { [error.field ?? '']: reasonOf(error) };
}
