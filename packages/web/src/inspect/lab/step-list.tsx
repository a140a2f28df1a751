// Lists the steps of opening a message, each with its formula, its values, and its result.
import { Check, X } from 'lucide-react';
import { cx } from '../../design/cx.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Pairs } from '../parts/section.tsx';
import styles from './step-list.module.css';
import type { Trace } from './trace.ts';

export const StepList = ({ trace: { steps, payload, cause } }: { readonly trace: Trace }) => (
  <div className={styles.result} role="status">
    {cause === undefined ? (
      <div className={styles.opened}>
        <p className={styles.strong}>It opens.</p>
        <JsonView label="Content" text={JSON.stringify(payload)} />
      </div>
    ) : (
      <div className={styles.failed}>
        <p className={styles.strong}>It does not open.</p>
        <p>{cause}</p>
      </div>
    )}
    <ol className={styles.steps} aria-label="Steps">
      {steps.map(({ name, formula, values, state, problem }) => (
        <li key={name} className={cx(styles.step, styles[state])}>
          <span className={styles.sign}>
            {state === 'done' ? <Check aria-label="done" role="img" /> : <X aria-label="failed" role="img" />}
          </span>
          <div className={styles.words}>
            <h3>{name}</h3>
            <p className={styles.formula}>{formula}</p>
            {problem !== undefined && <p className={styles.problem}>{problem}</p>}
            <Pairs pairs={values} />
          </div>
        </li>
      ))}
    </ol>
  </div>
);
