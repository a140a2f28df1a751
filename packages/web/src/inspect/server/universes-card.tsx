// Lists the saved states of the server. It can be set back to each of them.
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { dev } from '../feed/dev-api.ts';
import { reloadUniverses } from '../feed/feed.ts';
import { useInspector } from '../feed/store.ts';
import { tried } from '../parts/hand-out.ts';
import { Card } from '../parts/section.tsx';
import { dayAndTime } from '../parts/times.ts';
import styles from './forms.module.css';

export function UniversesCard() {
  const universes = useInspector((state) => state.universes);
  const [name, setName] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void tried(async () => {
      await dev.saveUniverse({ name });
      setName('');
      await reloadUniverses();
    });
  };
  const reset = (universe: string): void =>
    void tried(async () => {
      await dev.resetUniverse({ universe });
      toast({ text: `The server is back at ${universe}.`, about: 'reset' });
    });
  const fork = (universe: string): void =>
    void tried(async () => {
      const { url } = await dev.forkUniverse({ universe });
      toast({ text: `A second server with ${universe} runs at ${url}`, about: 'fork', stays: 20_000 });
    });
  return (
    <Card title="Universes" note="saved states">
      <ul className={styles.list} aria-label="Universes">
        {universes.map(({ name: own, savedTime, clock }) => (
          <li key={own} className={styles.item}>
            <div>
              <p className={styles.strong}>{own}</p>
              <p className={styles.quiet}>
                clock {dayAndTime(clock)} · saved {dayAndTime(savedTime)}
              </p>
            </div>
            <div className={styles.buttons}>
              <Button aria-label={`Fork ${own}`} look="quiet" onClick={() => fork(own)}>
                Fork
              </Button>
              <Button aria-label={`Reset to ${own}`} onClick={() => reset(own)}>
                Reset
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <p className={styles.quiet}>A reset closes connections, and forgets faults and calls.</p>
      <form className={styles.line} onSubmit={save}>
        <Field
          label="Save as"
          required
          pattern="[A-Za-z0-9][A-Za-z0-9_\-]{0,63}"
          placeholder="before-the-merge"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit">Save</Button>
      </form>
    </Card>
  );
}
