// A text as a code that cameras read. It is dark on white in both themes, because some cameras read nothing else.
import encodeQR from 'qr';
import { useMemo } from 'react';
import styles from './qr-image.module.css';

export function QrImage({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: 2 }), [text]);
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
