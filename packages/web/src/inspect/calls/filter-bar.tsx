// The filters above the list of calls.
import { ListX, Pause, Play, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { SearchField } from '../../design/pane.tsx';
import { clearCalls, setPaused } from '../feed/feed.ts';
import { useInspector } from '../feed/store.ts';
import { Choice } from '../parts/fields.tsx';
import { tried } from '../parts/hand-out.ts';
import styles from './filter-bar.module.css';
import { callStates, type Filters } from './filters.ts';

export interface FilterBarProps {
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
}

const ENDPOINTS = 'endpoints-seen';

export function FilterBar({ filters, onFilters }: FilterBarProps) {
  const { accounts, calls, paused } = useInspector();
  const endpoints = useMemo(() => [...new Set(calls.flatMap(({ endpoint }) => endpoint ?? []))].sort(), [calls]);
  const set = (changed: Partial<Filters>): void => onFilters({ ...filters, ...changed });
  return (
    <search className={styles.bar} aria-label="Filters of the calls">
      <div className={styles.text}>
        <SearchField label="Search calls" value={filters.text} onValue={(text) => set({ text })} />
      </div>
      <input
        className={styles.method}
        aria-label="Method"
        placeholder="Method, as in get*"
        list={ENDPOINTS}
        value={filters.method}
        onChange={({ target }) => set({ method: target.value })}
      />
      <datalist id={ENDPOINTS}>
        {endpoints.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Choice
        small
        label="Account"
        value={filters.account}
        choices={[['', 'All accounts'], ...accounts.map(({ mid, userid }) => [mid, userid ?? mid] as const)]}
        onChoice={(account) => set({ account })}
      />
      <Choice
        small
        label="State"
        value={filters.state}
        choices={[['', 'Any state'], ...callStates.map((state) => [state, state] as const)]}
        onChoice={(state) => set({ state })}
      />
      <Button
        look={filters.errorsOnly ? 'plain' : 'quiet'}
        aria-pressed={filters.errorsOnly}
        className={styles.errors}
        icon={<TriangleAlert size={16} />}
        onClick={() => set({ errorsOnly: !filters.errorsOnly })}
      >
        Errors only
      </Button>
      <span className={styles.ends}>
        <IconButton
          label={paused ? 'Go on showing new calls' : 'Pause'}
          pressed={paused}
          onClick={() => setPaused(!paused)}
        >
          {paused ? <Play /> : <Pause />}
        </IconButton>
        <IconButton label="Forget all calls" onClick={() => void tried(clearCalls)}>
          <ListX />
        </IconButton>
      </span>
    </search>
  );
}
