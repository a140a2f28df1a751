// The name of a file on one line. If there is no room, it is shortened in its middle, so that its ending stays in view.
import { nameParts } from './file-name-parts.ts';
import styles from './file-name-text.module.css';

export function FileNameText({ name }: { name: string }) {
  const [start, end] = nameParts(name);
  return (
    <bdi className={styles.name} title={name}>
      <span>{start}</span>
      <span>{end}</span>
    </bdi>
  );
}
