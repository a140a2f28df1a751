// The part of the page where short messages (toasts) appear. Screen readers say them as well.
import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Button, IconButton } from './button.tsx';
import styles from './toast.module.css';
import { closeToast, type Toast, toastStore } from './toast.ts';

export default function ToastRegion({ label, closeLabel }: { label: string; closeLabel: string }) {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  return (
    <section className={styles.viewport} aria-label={label} aria-live="polite">
      {toasts.map((toast) => (
        <ToastItem key={toast.key} toast={toast} closeLabel={closeLabel} />
      ))}
    </section>
  );
}

function ToastItem({ toast: { key, text, action }, closeLabel }: { toast: Toast; closeLabel: string }) {
  const act = (): void => {
    action?.run();
    closeToast(key, true);
  };
  return (
    <div className={styles.toast}>
      <p className={styles.text}>{text}</p>
      {action && (
        <Button look="quiet" className={styles.action} onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton label={closeLabel} onClick={() => closeToast(key)}>
        <X />
      </IconButton>
    </div>
  );
}
