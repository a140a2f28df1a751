// The frame of a page: its heading with actions, its content, and a placeholder while the content is loaded.
import { Trans } from '@lingui/react/macro';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { Empty } from '../../design/empty.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { reasonOf } from '../client/act.ts';
import type { Loaded } from '../client/use-loaded.ts';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** The content above the title, such as a link back. */
  readonly before?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Page = ({ title, before, actions, children }: PageProps) => (
  <div className={styles.page}>
    {before}
    <header className={styles.header}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
    {children}
  </div>
);

export interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export const Section = ({ title, note, actions, children }: SectionProps) => (
  <section className={styles.section} aria-label={title}>
    <header className={styles.sectionHeader}>
      <h2>{title}</h2>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
    {note !== undefined && <p className={styles.note}>{note}</p>}
    {children}
  </section>
);

export interface ShownProps<T> {
  readonly of: Loaded<T>;
  /** Number of grey rows that are shown until the first answer. */
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** Shows loaded data. Until it is loaded, shows grey rows. If loading failed, shows the reason, below older data. */
export function Shown<T>({ of: { data, error, reload }, rows = 5, children }: ShownProps<T>) {
  if (data !== undefined)
    return (
      <>
        {children(data)}
        {error !== undefined && (
          <p role="alert" className={styles.note}>
            {reasonOf(error)}
          </p>
        )}
      </>
    );
  if (error !== undefined)
    return (
      <Empty
        icon={<CloudOff />}
        title={reasonOf(error)}
        action={
          <Button onClick={() => void reload()}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    );
  return (
    <div className={styles.waiting} aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are the same
        <Skeleton key={row} width="100%" height="44px" />
      ))}
    </div>
  );
}

export interface TagProps {
  readonly look?: 'plain' | 'calm' | 'warn' | 'danger';
  readonly children: ReactNode;
}

/** A short coloured label. */
export const Tag = ({ look = 'plain', children }: TagProps) => (
  <span className={cx(styles.tag, styles[look])}>{children}</span>
);
