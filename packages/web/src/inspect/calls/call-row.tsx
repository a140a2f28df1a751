// One call in the list of calls.
import type { SeenCall } from '@sealpost/contract/workbench';
import { memo } from 'react';
import { Tag, type TagLook } from '../parts/tag.tsx';
import { clockTime, duration } from '../parts/times.ts';
import styles from './call-row.module.css';
import { isWrong } from './filters.ts';

const stateLook: Readonly<Record<SeenCall['state'], TagLook>> = {
  running: 'accent',
  answered: 'good',
  cut: 'warn',
  dropped: 'warn',
  left: 'quiet',
};

export function StatusTag({ call }: { readonly call: SeenCall }) {
  const { state, status } = call;
  const look = state === 'answered' && isWrong(call) ? 'bad' : stateLook[state];
  return <Tag look={look}>{state === 'answered' ? (status ?? state) : state}</Tag>;
}

/** Returns the name of an endpoint in two parts: the service, and the method. */
export function nameParts({ endpoint, verb, path }: SeenCall): readonly [service: string, method: string] {
  if (endpoint === undefined) return [`${verb} `, path];
  const at = endpoint.indexOf('.') + 1;
  return [endpoint.slice(0, at), endpoint.slice(at)];
}

/** Returns the names of the accounts to whose logs a call appended operations. */
export const writtenTo = ({ appended }: SeenCall): string[] => [
  ...new Set(appended.map(({ userid, mid }) => userid ?? mid.slice(0, 8))),
];

export const CallRow = memo(function CallRow({ call }: { readonly call: SeenCall }) {
  const { time, userid, mid, error, durationMs, fault, tag } = call;
  const [service, method] = nameParts(call);
  const to = writtenTo(call);
  return (
    <div className={styles.row}>
      <span className={styles.time}>{clockTime(time)}</span>
      <span className={styles.status}>
        <StatusTag call={call} />
      </span>
      <span className={styles.name}>
        <span className={styles.quiet}>{service}</span>
        {method}
        {error && <span className={styles.error}>{error.name || error.code}</span>}
      </span>
      <span className={styles.tags}>
        {fault !== undefined && <Tag look="warn">fault {fault}</Tag>}
        {tag !== undefined && <Tag look="quiet">{tag}</Tag>}
      </span>
      <span className={styles.who}>{userid ?? mid?.slice(0, 8) ?? ''}</span>
      <span className={styles.wrote}>{to.length > 0 && `→ ${to.join(', ')}`}</span>
      <span className={styles.duration}>{durationMs === undefined ? '…' : duration(durationMs)}</span>
    </div>
  );
});
