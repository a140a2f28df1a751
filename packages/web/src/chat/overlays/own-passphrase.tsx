// A field for a passphrase that the user chooses, with a measure of how hard the passphrase is to guess.
import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Field } from '../../design/field.tsx';
import { useRemote } from '../client/context.tsx';
import { type StrengthLevel, strengthLevel } from '../safety/decisions.ts';
import styles from './backup-dialog.module.css';

const PAUSE_MS = 250;

/** Passes the passphrase to `onPassphrase`; passes undefined while the passphrase is not strong enough. */
export function OwnPassphrase({ onPassphrase }: { onPassphrase: (passphrase: string | undefined) => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [typed, setTyped] = useState('');
  const [level, setLevel] = useState<StrengthLevel>(0);
  useEffect(() => {
    let current = true;
    onPassphrase(undefined);
    const timer = setTimeout(async () => {
      const { guessesLog10, enough } = await remote.engine.strength(typed);
      if (!current) return;
      setLevel(strengthLevel(guessesLog10));
      onPassphrase(enough ? typed : undefined);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [remote, typed, onPassphrase]);
  const names = [t`Very easy to guess`, t`Easy to guess`, t`Too easy to guess`, t`Nearly good enough`, t`Good`];
  return (
    <div className={styles.own}>
      <Field
        label={t`Your passphrase`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint={t`Five or more words that do not belong together are best. No sayings, names or dates.`}
      />
      {typed !== '' && (
        <div className={styles.strength}>
          <meter min={0} max={4} low={3} high={4} optimum={4} value={level} aria-label={t`How hard it is to guess`} />
          <span role="status">{names[level]}</span>
        </div>
      )}
    </div>
  );
}
