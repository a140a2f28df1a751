// The items of a menu, beside the button that opened it.
import { Menu as Base } from '@base-ui/react/menu';
import type { RefObject } from 'react';
import { cx } from './cx.ts';
import styles from './menu.module.css';
import type { MenuItem } from './menu-item.ts';

export interface MenuPopupProps {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly items: readonly MenuItem[];
  readonly align: 'start' | 'end';
}

export default function MenuPopup({ anchor, open, onClose, items, align }: MenuPopupProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} anchor={anchor} align={align} sideOffset={4}>
          <Base.Popup className={styles.popup} finalFocus={anchor}>
            {items.map(({ id, label, icon, danger, onSelect }) => (
              <Base.Item key={id} className={cx(styles.item, danger && styles.danger)} onClick={onSelect}>
                {icon}
                {label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
