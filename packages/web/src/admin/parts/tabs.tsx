// Links to the views of a page. The current view is marked.
import { cx } from '../../design/cx.ts';
import styles from './tabs.module.css';

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly name: string; readonly href: string }[];
  readonly current: string;
}

export const Tabs = ({ label, tabs, current }: TabsProps) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map(({ id, name, href }) => (
      <a
        key={id}
        href={href}
        className={cx(styles.tab, id === current && styles.current)}
        {...(id === current && { 'aria-current': 'page' as const })}
      >
        {name}
      </a>
    ))}
  </nav>
);
