// The screen with all calls of the server as they happen. The details of the chosen call are shown beside the list.
import { Radio, SearchX } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { Empty } from '../../design/empty.tsx';
import { useInspector } from '../feed/store.ts';
import { useNarrow } from '../parts/media.ts';
import { goTo } from '../parts/place.ts';
import { RowList } from '../parts/row-list.tsx';
import { CallDetail } from './call-detail.tsx';
import { CallRow } from './call-row.tsx';
import styles from './calls-screen.module.css';
import { FilterBar } from './filter-bar.tsx';
import { fitting, isFiltering, isWrong, noFilters } from './filters.ts';

const WIDE_ROW_PX = 34;
const TWO_LINES_PX = 54;
/** The filters at the time when the user left this screen. */
let lastFilters = noFilters;

export function CallsScreen({ chosen }: { readonly chosen: string | undefined }) {
  const calls = useInspector((state) => state.calls);
  const [filters, setFilters] = useState(lastFilters);
  lastFilters = filters;
  const wanted = useDeferredValue(filters);
  const shown = useMemo(() => fitting(calls, wanted), [calls, wanted]);
  const narrow = useNarrow();
  const detail = useRef<HTMLElement>(null);
  const twoLines = narrow || chosen !== undefined;
  return (
    <div className={cx(styles.screen, chosen !== undefined && styles.withDetail)}>
      <section className={styles.list} aria-label="Calls">
        <FilterBar filters={filters} onFilters={setFilters} />
        {shown.length > 0 ? (
          <RowList
            label="List of calls"
            items={shown}
            rowPx={twoLines ? TWO_LINES_PX : WIDE_ROW_PX}
            keyOf={({ id }) => String(id)}
            selected={chosen}
            onSelect={(id) => goTo('calls', id)}
            onEnter={() => detail.current?.focus()}
          >
            {(call) => <CallRow call={call} />}
          </RowList>
        ) : (
          <NoCalls isFiltered={isFiltering(filters)} onShowAll={() => setFilters(noFilters)} />
        )}
        <p className={styles.count}>
          {shown.length === calls.length
            ? `${calls.length.toLocaleString('en')} calls`
            : `${shown.length.toLocaleString('en')} of ${calls.length.toLocaleString('en')} calls`}
          {`, ${shown.filter(isWrong).length.toLocaleString('en')} with errors`}
        </p>
      </section>
      {chosen !== undefined && <CallDetail key={chosen} id={chosen} panel={detail} />}
    </div>
  );
}

function NoCalls({ isFiltered, onShowAll }: { readonly isFiltered: boolean; readonly onShowAll: () => void }) {
  return isFiltered ? (
    <Empty icon={<SearchX />} title="No call fits" action={<Button onClick={onShowAll}>Show all calls</Button>}>
      The filters above leave nothing. New calls that fit appear here.
    </Empty>
  ) : (
    <Empty icon={<Radio />} title="Waiting for the first call">
      Point your client at {location.origin}. Every call shows here as it happens.
    </Empty>
  );
}
