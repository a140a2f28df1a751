// The items of a menu, beside what opened it.
import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, KeyboardEvent, RefObject } from 'react';
import { cx } from './cx.ts';
import styles from './menu.module.css';
import type { MenuItem } from './menu-item.ts';

export interface MenuPopupProps {
  /** What it stands at: an element, or a place. */
  readonly anchor: NonNullable<ComponentProps<typeof Base.Positioner>['anchor']>;
  /** What gets the focus when it closes. */
  readonly finalFocus: RefObject<HTMLElement | null>;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly items: readonly MenuItem[];
  readonly align: 'start' | 'end';
  /** What it is about. */
  readonly label: string;
}

export default function MenuPopup({ anchor, finalFocus, open, onClose, items, align, label }: MenuPopupProps) {
  const signs = items.filter(({ sign }) => sign !== undefined);
  const others = items.filter(({ sign }) => sign === undefined);
  // The page around does not know the menu, so the focus would be lost with it.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    onClose();
  };
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* In the main part: what stands in no part of the page is hard to find with a screen reader. */}
      <Base.Portal container={document.querySelector('main') ?? document.body}>
        <Base.Positioner className={styles.positioner} anchor={anchor} align={align} sideOffset={4}>
          <Base.Popup className={styles.popup} finalFocus={finalFocus} onKeyDown={onKeyDown} aria-label={label}>
            {signs.length > 0 && (
              <Base.Group className={styles.signs}>
                {signs.map(({ id, label: text, sign, onSelect }) => (
                  <Base.Item key={id} className={styles.sign} aria-label={text} title={text} onClick={onSelect}>
                    {sign}
                  </Base.Item>
                ))}
              </Base.Group>
            )}
            {others.map(({ id, label: text, icon, danger, onSelect }) => (
              <Base.Item key={id} className={cx(styles.item, danger && styles.danger)} onClick={onSelect}>
                {icon}
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
