// A dialog over the page. It keeps the focus inside, and closes with Escape. After closing, the focus returns to the
// element that had it before, unless the user goes on in a text field.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useRef } from 'react';
import { fieldHasFocus } from '../access/field-has-focus.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The text of the button that closes the dialog. */
  readonly closeLabel: string;
  readonly children: ReactNode;
  /** True while a call runs whose answer the user must see. The dialog does not close then. */
  readonly busy?: boolean;
  /** Buttons at the lower edge of the dialog. */
  readonly actions?: ReactNode;
  readonly size?: 's' | 'm' | 'l';
  /** The element that gets the focus when the dialog opens. If absent, the first control gets it. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
}

/**
 * Returns true for the second press of a double click. The first press may have changed the dialog, so that the second is
 * beside it.
 */
const isLaterPress = (event: Event): boolean => event instanceof MouseEvent && event.detail > 1;

export function Dialog({ open, onClose, title, closeLabel, children, busy = false, actions, ...rest }: DialogProps) {
  const { size = 'm', initialFocus } = rest;
  return (
    <Base.Root open={open} onOpenChange={(isOpen, { event }) => !isOpen && !busy && !isLaterPress(event) && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} onMouseDown={(event) => event.preventDefault()} />
        <Base.Popup
          className={cx(styles.popup, styles[size])}
          finalFocus={() => !fieldHasFocus()}
          {...(initialFocus && { initialFocus })}
        >
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close disabled={busy} render={<IconButton label={closeLabel} />}>
              <X />
            </Base.Close>
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Returns a function that tells after a call whether the dialog is still open. If it was closed meanwhile, another one may
 * be open by now. It is always the same function.
 */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return useCallback(() => isOpen.current, []);
}
