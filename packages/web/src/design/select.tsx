// A labelled list, of which one entry is chosen.
import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

export interface SelectProps extends ComponentProps<'select'> {
  readonly label: string;
}

export function Select({ label, children, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={styles.input} {...rest}>
        {children}
      </select>
    </div>
  );
}
