// Hands texts to the user: by the clipboard, or as a file.
import { toast } from '../../design/toast.ts';
import { messageOf } from '../feed/dev-api.ts';

/** @param what the name of the copied text for the notice, for example `curl command` */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: `Copied: ${what}`, about: 'copy' });
  } catch (error) {
    toast({ text: `The browser did not copy the ${what}: ${messageOf(error)}`, about: 'copy' });
  }
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // By then, the browser has read the address.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/** Runs the action of a button, and shows an error if it fails. */
export async function tried(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    toast({ text: messageOf(error), about: 'failed' });
  }
}
