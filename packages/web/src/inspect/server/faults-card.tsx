// Lists the faults that are active, each with a button that ends it.
import { Button } from '../../design/button.tsx';
import { dev } from '../feed/dev-api.ts';
import { useInspector } from '../feed/store.ts';
import { tried } from '../parts/hand-out.ts';
import { Card } from '../parts/section.tsx';
import { FaultForm } from './fault-form.tsx';
import { wordsOf } from './fault-rule.ts';
import styles from './forms.module.css';

export function FaultsCard() {
  const faults = useInspector((state) => state.faults);
  return (
    <Card title="Faults" note={`${faults.length} now`}>
      {faults.length === 0 ? (
        <p className={styles.quiet}>Nothing goes wrong on purpose. A fault begins with the next call that fits it.</p>
      ) : (
        <ul className={styles.list} aria-label="Faults">
          {faults.map((fault) => {
            const { does, to } = wordsOf(fault);
            return (
              <li key={fault.id} className={styles.item}>
                <div>
                  <p className={styles.strong}>
                    {fault.id}: {does}
                  </p>
                  <p className={styles.quiet}>
                    {to} · changed {fault.fired} {fault.fired === 1 ? 'call' : 'calls'}
                  </p>
                </div>
                <Button
                  aria-label={`End fault ${fault.id}`}
                  onClick={() => void tried(() => dev.removeFault({ fault: fault.id }))}
                >
                  End
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {faults.length > 1 && (
        <div className={styles.buttons}>
          <Button onClick={() => void tried(() => dev.clearFaults())}>End all faults</Button>
        </div>
      )}
      <FaultForm />
    </Card>
  );
}
