// A menu that opens at a button. The menu itself is loaded when it is opened for the first time.
import { cloneElement, lazy, type ReactElement, type RefObject, Suspense, useRef, useState } from 'react';
import type { MenuItem } from './menu-item.ts';

const MenuPopup = lazy(() => import('./menu-popup.tsx'));

interface TriggerProps {
  readonly label: string;
  readonly ref?: RefObject<HTMLButtonElement | null>;
  readonly onClick?: () => void;
  readonly 'aria-haspopup'?: 'menu';
  readonly 'aria-expanded'?: boolean;
}

export interface MenuProps {
  /** The button that opens the menu. Its label is also the label of the menu. */
  readonly trigger: ReactElement<TriggerProps>;
  readonly items: readonly MenuItem[];
  /** The edge of the button with which the menu is aligned. */
  readonly align?: 'start' | 'end';
}

export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const onClick = (): void => {
    opener.current = openerOf(anchor.current);
    setWasOpened(true);
    setOpen(!open);
  };
  return (
    <>
      {cloneElement(trigger, { ref: anchor, onClick, 'aria-haspopup': 'menu', 'aria-expanded': open })}
      {wasOpened && (
        <Suspense>
          <MenuPopup
            anchor={anchor}
            finalFocus={opener}
            open={open}
            onClose={() => setOpen(false)}
            items={items}
            align={align}
            label={trigger.props.label}
          />
        </Suspense>
      )}
    </>
  );
}

/**
 * Returns the element that gets the focus when the menu closes. If the focused element contains the button, that
 * element gets the focus. An example is a message whose menu was opened with a key. Otherwise, the button gets the
 * focus.
 */
function openerOf(button: HTMLElement | null): HTMLElement | null {
  const { activeElement, body } = document;
  const isAround = activeElement instanceof HTMLElement && activeElement !== body && activeElement.contains(button);
  return isAround ? activeElement : button;
}
