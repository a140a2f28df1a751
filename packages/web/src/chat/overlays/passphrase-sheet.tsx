// Shows a generated passphrase, which the user can copy, print, or write down.
import { Trans, useLingui } from '@lingui/react/macro';
import { Copy, Printer } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import styles from './backup-dialog.module.css';

/** Passes the passphrase to `onPassphrase` when the user confirms having written it down. */
export function PassphraseSheet({ onPassphrase }: { onPassphrase: (passphrase: string | undefined) => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const id = useId();
  const [words, setWords] = useState<string>();
  const [kept, setKept] = useState(false);
  useEffect(() => void attempt(async () => setWords(await remote.engine.newPassphrase())), [remote]);
  useEffect(() => onPassphrase(kept ? words : undefined), [kept, words, onPassphrase]);
  const copy = async (): Promise<void> => {
    if (await attempt(() => navigator.clipboard.writeText(words ?? ''))) toast({ text: t`Copied` });
  };
  return (
    <section className={styles.sheet} aria-label={t`Your passphrase`}>
      <output className={styles.phrase} aria-label={t`Passphrase`} translate="no">
        {words}
      </output>
      <div className={styles.buttons}>
        <Button icon={<Copy size={16} />} onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <Button icon={<Printer size={16} />} onClick={() => print()}>
          <Trans>Print</Trans>
        </Button>
      </div>
      <label className={styles.kept} htmlFor={id}>
        <input id={id} type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />
        <Trans>I have written the passphrase down</Trans>
      </label>
    </section>
  );
}
