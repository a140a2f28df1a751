// Shows all details of one call.
import type { CallRecord, SeenCall } from '@sealpost/contract/workbench';
import { ArrowLeft, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { IconButton } from '../../design/button.tsx';
import { dev, messageOf } from '../feed/dev-api.ts';
import { useInspector } from '../feed/store.ts';
import { useNarrow } from '../parts/media.ts';
import { goTo } from '../parts/place.ts';
import { CallActions } from './call-actions.tsx';
import styles from './call-detail.module.css';
import { nameParts } from './call-row.tsx';
import { CallSections } from './call-sections.tsx';

export interface CallDetailProps {
  readonly id: string;
  readonly panel: RefObject<HTMLElement | null>;
}

export function CallDetail({ id, panel }: CallDetailProps) {
  const seen = useInspector(({ calls }) => calls.find((call) => String(call.id) === id));
  const { record, problem } = useRecord(id, seen);
  const narrow = useNarrow();
  const close = (): void => {
    goTo('calls');
    document.querySelector<HTMLElement>('[role=listbox]')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  const [service, method] = record ? nameParts(record) : ['', `Call ${id}`];
  return (
    <section ref={panel} className={styles.panel} aria-label="The chosen call" tabIndex={-1} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        {narrow && (
          <IconButton label="Back to the calls" onClick={close}>
            <ArrowLeft />
          </IconButton>
        )}
        <h2>
          <span className={styles.service}>{service}</span>
          {method}
        </h2>
        {!narrow && (
          <IconButton label="Close" onClick={close}>
            <X />
          </IconButton>
        )}
      </header>
      {record && <CallActions record={record} />}
      <div className={styles.scroller}>
        {record && <CallSections record={record} />}
        {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      </div>
    </section>
  );
}

/** Returns all details of a call. They are fetched again whenever the call changes. */
function useRecord(id: string, seen: SeenCall | undefined): { record?: CallRecord; problem?: string } {
  const [found, setFound] = useState<{ record?: CallRecord; problem?: string }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call that went on is another object
  useEffect(() => {
    let isWanted = true;
    dev.showRequest({ id }).then(
      (record) => isWanted && setFound({ record }),
      (error: unknown) => isWanted && setFound({ problem: messageOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [id, seen]);
  return found;
}
