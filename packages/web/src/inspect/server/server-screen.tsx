// The screen that controls the server: its clock, its faults, and its saved states.
import { useInspector } from '../feed/store.ts';
import { Card, Pairs } from '../parts/section.tsx';
import { ClockCard } from './clock-card.tsx';
import { FaultsCard } from './faults-card.tsx';
import styles from './server-screen.module.css';
import { UniversesCard } from './universes-card.tsx';

export function ServerScreen() {
  const { facts, accounts } = useInspector();
  return (
    <div className={styles.screen}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <FaultsCard />
          <Card title="Accounts" note={String(accounts.length)}>
            <Pairs
              pairs={accounts.map(({ userid, mid, password }) => [
                userid ?? 'no user id',
                <span key={mid}>
                  {mid}
                  {password !== undefined && <span className={styles.password}>password {password}</span>}
                </span>,
              ])}
            />
          </Card>
        </div>
        <div className={styles.column}>
          <ClockCard />
          <UniversesCard />
          {facts && (
            <Card title="This server">
              <Pairs
                pairs={[
                  ['Address', facts.url],
                  ['Build token', facts.buildToken],
                  ['Brand of headers', facts.brand],
                  ['Seed', facts.seed === undefined ? 'none: it draws from the machine' : String(facts.seed)],
                ]}
              />
            </Card>
          )}
        </div>
      </div>
    </div>
  );
}
