// The card for the clock of the server. A virtual clock stands still until somebody moves it.
import { FastForward } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { dev } from '../feed/dev-api.ts';
import { reloadClock } from '../feed/feed.ts';
import { useInspector } from '../feed/store.ts';
import { tried } from '../parts/hand-out.ts';
import { Card } from '../parts/section.tsx';
import { dayAndTime } from '../parts/times.ts';
import styles from './forms.module.css';

const STEPS = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['25h', '25 hours'],
  ['7d', '7 days'],
] as const;

export function ClockCard() {
  const clock = useInspector((state) => state.clock);
  const [by, setBy] = useState('');
  if (!clock) return null;
  const advance = (span: string): Promise<void> => tried(() => dev.advanceClock({ by: span }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void advance(by);
  };
  return (
    <Card title="Clock" note={clock.mode}>
      <p className={styles.big}>{dayAndTime(clock.now)}</p>
      {clock.mode === 'real' ? (
        <>
          <p className={styles.quiet}>
            It is the clock of the machine, as it was when this page asked. Start with a virtual clock to move it.
          </p>
          <div className={styles.buttons}>
            <Button onClick={() => void tried(reloadClock)}>Look again</Button>
          </div>
        </>
      ) : (
        <>
          <p className={styles.quiet}>It stands still. Moving it lets every timer on the way fire at its time.</p>
          <div className={styles.buttons}>
            {STEPS.map(([span, text]) => (
              <Button key={span} icon={<FastForward size={16} />} onClick={() => void advance(span)}>
                {text}
              </Button>
            ))}
          </div>
          <form className={styles.line} onSubmit={submit}>
            <Field
              label="Move by"
              placeholder="90s, 15m, 25h"
              required
              pattern="\d{1,9}(ms|s|m|h|d)"
              value={by}
              onChange={({ target }) => setBy(target.value)}
            />
            <Button type="submit">Advance</Button>
          </form>
        </>
      )}
    </Card>
  );
}
