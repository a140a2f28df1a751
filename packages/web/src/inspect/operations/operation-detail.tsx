// Shows one operation in the form in which the stream delivers it.
import type { SeenOperation } from '@sealpost/contract/workbench';
import { X } from 'lucide-react';
import { IconButton } from '../../design/button.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { dayAndTime } from '../parts/times.ts';
import styles from './operation-detail.module.css';

export interface OperationDetailProps {
  readonly operation: SeenOperation;
  readonly onClose: () => void;
}

export const OperationDetail = ({ operation, onClose }: OperationDetailProps) => (
  <section className={styles.panel} aria-label="The chosen operation">
    <header className={styles.header}>
      <h2>{operation.type}</h2>
      <IconButton label="Close" onClick={onClose}>
        <X />
      </IconButton>
    </header>
    <p className={styles.facts}>
      Revision {operation.revision} in the log of {operation.userid ?? operation.mid}, {dayAndTime(operation.time)}
    </p>
    <JsonView label="Operation" text={JSON.stringify(operation.operation)} />
  </section>
);
