// Copies texts for the administrator.
import { t } from '@lingui/core/macro';
import { toast } from '../../design/toast.ts';

/** Copies a text. If the browser does not, which is so over plain HTTP, says so. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: done, about: 'copy' });
  } catch {
    toast({ text: t`The browser did not copy it. Select the text and copy it yourself.`, about: 'copy' });
  }
}
