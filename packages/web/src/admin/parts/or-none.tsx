// A list in a section, or a sentence that says that the list is empty.
import type { ReactNode } from 'react';
import type { Loaded } from '../client/use-loaded.ts';
import styles from './or-none.module.css';
import { Shown } from './page.tsx';

export interface OrNoneProps<T> {
  readonly of: Loaded<readonly T[]>;
  readonly none: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

export const OrNone = <T,>({ of, none, children }: OrNoneProps<T>) => (
  <Shown of={of} rows={1}>
    {(items) => (items.length === 0 ? <p className={styles.none}>{none}</p> : children(items))}
  </Shown>
);
