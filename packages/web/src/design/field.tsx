// A labelled text field, with a hint or an error below it.
import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

export interface FieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

export function Field({ label, hint, error, ...rest }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.input}
        aria-invalid={error !== undefined}
        {...(note !== undefined && { 'aria-describedby': `${id}-note` })}
        {...rest}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? styles.hint : styles.error}>
          {note}
        </p>
      )}
    </div>
  );
}
