// Runs an action that a person asked for, and shows why it failed.
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { toast } from '../../design/toast.ts';
import { CallError } from './remote.ts';

/** Returns a text for people that says why a call failed. */
export function problemOf(error: unknown): string {
  if (error instanceof CallError && error.name === 'NetworkError') {
    return i18n._(msg`The server cannot be reached. Try again when you are connected.`);
  }
  if (error instanceof CallError && error.name === 'QuotaExceededError') {
    return i18n._(msg`This browser has no room left, so this could not be kept. Make room, then try again.`);
  }
  return error instanceof Error ? error.message : String(error);
}

/** Runs an action. If it fails, shows the reason and returns false. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    toast({ text: problemOf(error) });
    return false;
  }
}
