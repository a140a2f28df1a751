// Attaches files that are dropped anywhere onto the page to the open conversation. Without this, the browser would
// leave the page to show the file.
import { Trans } from '@lingui/react/macro';
import { Upload } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import styles from './attachments.module.css';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // The event has no related target if the pointer leaves the window, but has one if it leaves an element inside the
    // page.
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', (event) => onDrop(event), { signal });
    return () => end.abort();
  }, []);
  if (!isOver) return null;
  return (
    <div className={styles.drop}>
      <Upload aria-hidden="true" />
      <Trans>Drop it to send it here</Trans>
    </div>
  );
}
