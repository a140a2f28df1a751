// Short messages at the lower edge, with at most one action such as undoing.
import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import styles from './toast.module.css';

const manager = Base.createToastManager();

export interface ToastOptions {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** How long it stays, in milliseconds. */
  readonly stays?: number;
}

const STAYS_MS = 5_000;

/** Shows a message. Returns the function that takes it away. */
export function toast({ text, action, stays = STAYS_MS }: ToastOptions): () => void {
  const id = manager.add({
    description: text,
    timeout: stays,
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          action.run();
          manager.close(id);
        },
      },
    }),
  });
  return () => manager.close(id);
}

export function ToastRegion({ closeLabel, children }: { closeLabel: string; children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager}>
      {children}
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <Toasts closeLabel={closeLabel} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts({ closeLabel }: { closeLabel: string }) {
  const { toasts } = Base.useToastManager();
  return toasts.map((item) => (
    <Base.Root key={item.id} toast={item} className={styles.toast}>
      <Base.Description className={styles.text} />
      {item.actionProps && <Base.Action render={<Button look="quiet" className={styles.action} />} />}
      <Base.Close render={<IconButton label={closeLabel} />}>
        <X />
      </Base.Close>
    </Base.Root>
  ));
}
