// The screen with the operation logs: all new operations as they arrive, or the whole log of one account.
import type { SeenOperation } from '@sealpost/contract/workbench';
import { Layers } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { cx } from '../../design/cx.ts';
import { Empty } from '../../design/empty.tsx';
import { SearchField } from '../../design/pane.tsx';
import { useInspector } from '../feed/store.ts';
import { Choice } from '../parts/fields.tsx';
import { goTo } from '../parts/place.ts';
import { RowList } from '../parts/row-list.tsx';
import { clockTime } from '../parts/times.ts';
import { OperationDetail } from './operation-detail.tsx';
import styles from './operations-screen.module.css';
import { useLog } from './use-log.ts';

const ROW_PX = 34;

const keyOf = ({ mid, revision }: SeenOperation): string => `${mid} ${revision}`;

/** @param account a mid; undefined to show the new operations of all accounts */
export function OperationsScreen({ account }: { readonly account: string | undefined }) {
  const accounts = useInspector((state) => state.accounts);
  const operations = useLog(account);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log has other operations
  useEffect(() => setChosen(undefined), [account]);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0
      ? operations
      : operations.filter((one) => {
          const searched = JSON.stringify(one).toLowerCase();
          return words.every((word) => searched.includes(word));
        });
  }, [operations, text]);
  const operation = shown.find((one) => keyOf(one) === chosen);
  return (
    <div className={cx(styles.screen, operation && styles.withDetail)}>
      <section className={styles.list} aria-label="Operations">
        <div className={styles.bar}>
          <Choice
            small
            label="Log of"
            value={account ?? ''}
            choices={[
              ['', 'All accounts, as they come'],
              ...accounts.map(({ mid, userid }) => [mid, `Log of ${userid ?? mid}`] as const),
            ]}
            onChoice={(mid) => goTo('operations', mid === '' ? undefined : mid)}
          />
          <div className={styles.text}>
            <SearchField label="Search operations" value={text} onValue={setText} />
          </div>
        </div>
        {shown.length > 0 ? (
          <RowList
            label="List of operations"
            items={shown}
            rowPx={ROW_PX}
            keyOf={keyOf}
            selected={chosen}
            onSelect={setChosen}
          >
            {(one) => <OperationRow operation={one} />}
          </RowList>
        ) : (
          <Empty icon={<Layers />} title={account === undefined ? 'No operations yet' : 'Nothing here'}>
            {account === undefined
              ? 'Operations appear here as calls append them. Choose an account to read its whole log.'
              : 'This log has no operation that fits.'}
          </Empty>
        )}
      </section>
      {operation && <OperationDetail operation={operation} onClose={() => setChosen(undefined)} />}
    </div>
  );
}

const OperationRow = ({ operation }: { readonly operation: SeenOperation }) => (
  <div className={styles.row}>
    <span className={styles.mono}>{clockTime(operation.time)}</span>
    <span className={styles.mono}>{operation.revision}</span>
    <span className={styles.type}>{operation.type}</span>
    <span className={styles.who}>{operation.userid ?? operation.mid.slice(0, 8)}</span>
  </div>
);
