import type { ReactNode } from 'react';

/** One thing that a menu offers. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A sign that stands for the label. Items with a sign stand in one line at the top. */
  readonly sign?: string;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}
