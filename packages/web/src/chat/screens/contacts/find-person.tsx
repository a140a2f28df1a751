// Finds a person by the exact user id or phone number.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { Field } from '../../../design/field.tsx';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { contactPath } from '../../routes.ts';
import styles from './find-person.module.css';
import { searchedBy } from './searched-by.ts';

export function FindPerson({ onFound }: { onFound: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A dialog that led here returns the focus when it closes. The field takes the focus after that.
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const [problem, setProblem] = useState<string>();
  const [searching, setSearching] = useState(false);
  const find = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = searchedBy(text);
    if (!wanted) return;
    setProblem(undefined);
    setSearching(true);
    await attempt(async () => {
      const found =
        wanted.by === 'phone'
          ? [...(await remote.contacts.findByPhone([wanted.text])).values()][0]
          : await remote.contacts.findByUserid(wanted.text);
      if (!found) return setProblem(t`Nobody was found. Check what you wrote: it must be exact.`);
      onFound();
      go(contactPath(found.mid));
    });
    setSearching(false);
  };
  return (
    <form className={styles.find} onSubmit={(event) => void find(event)}>
      <Field
        label={t`User id or phone number`}
        value={text}
        ref={field}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        error={problem}
      />
      <Button type="submit" look="primary" disabled={searching || !searchedBy(text)}>
        <Trans>Find</Trans>
      </Button>
    </form>
  );
}
