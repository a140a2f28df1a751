// Form fields: a text of several lines, and a choice of one value.
import { type ComponentProps, useId } from 'react';
import { cx } from '../../design/cx.ts';
import styles from './fields.module.css';

export interface AreaProps extends ComponentProps<'textarea'> {
  readonly label: string;
  readonly hint?: string;
}

export function Area({ label, hint, className, ...rest }: AreaProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={cx(styles.area, className)}
        spellCheck={false}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...rest}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly onChoice: (value: T) => void;
  /** True to show only the field; the label is then for screen readers only. */
  readonly small?: boolean;
}

export function Choice<T extends string>({ label, value, choices, onChoice, small = false }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className={cx(styles.field, small && styles.small)}>
      <label htmlFor={id} className={small ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find(([own]) => own === target.value);
          if (chosen) onChoice(chosen[0]);
        }}
      >
        {choices.map(([own, text]) => (
          <option key={own} value={own}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
