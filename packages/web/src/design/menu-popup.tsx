// The popup of a menu, with its items. It opens beside an element or a point.
import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, KeyboardEvent, RefObject } from 'react';
import { fieldHasFocus } from '../access/field-has-focus.ts';
import { cx } from './cx.ts';
import styles from './menu.module.css';
import type { MenuItem } from './menu-item.ts';

export interface MenuPopupProps {
  /** The element or point beside which the popup opens. */
  readonly anchor: NonNullable<ComponentProps<typeof Base.Positioner>['anchor']>;
  /** The element that gets the focus when the popup closes, unless a text field has got it. */
  readonly finalFocus: RefObject<HTMLElement | null>;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly items: readonly MenuItem[];
  readonly align: 'start' | 'end';
  /** The subject of the menu, for screen readers. */
  readonly label: string;
}

/** Signs stand in a row, and the library goes along a menu by the keys up and down only. */
function alongTheRow({ key, target, currentTarget }: KeyboardEvent): void {
  const isLeftToRight = getComputedStyle(currentTarget).direction === 'ltr';
  const isNext = key === (isLeftToRight ? 'ArrowRight' : 'ArrowLeft');
  if (!isNext && key !== (isLeftToRight ? 'ArrowLeft' : 'ArrowRight')) return;
  target.dispatchEvent(new window.KeyboardEvent('keydown', { key: isNext ? 'ArrowDown' : 'ArrowUp', bubbles: true }));
}

export default function MenuPopup({ anchor, finalFocus, open, onClose, items, align, label }: MenuPopupProps) {
  const signs = items.filter(({ sign }) => sign !== undefined);
  const others = items.filter(({ sign }) => sign === undefined);
  // Tab only closes the menu, and the focus goes to `finalFocus`. The popup is not next to its button in the page, so
  // Tab would move the focus to an unrelated place.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') {
      event.preventDefault();
      onClose();
    } else if (signs.length > 0) alongTheRow(event);
  };
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* The popup is inside `main`, because elements outside of all landmarks are hard to find with a screen
          reader. */}
      <Base.Portal container={document.querySelector('main') ?? document.body}>
        <Base.Positioner className={styles.positioner} anchor={anchor} align={align} sideOffset={4}>
          <Base.Popup
            className={styles.popup}
            finalFocus={() => !fieldHasFocus() && (finalFocus.current ?? true)}
            onKeyDown={onKeyDown}
            aria-label={label}
          >
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
