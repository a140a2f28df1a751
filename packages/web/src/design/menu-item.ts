import type { ReactNode } from 'react';

/** One item of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A sign such as an emoji, shown in place of the label. Items with signs are in one line at the top of the menu. */
  readonly sign?: string;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}
