// A list of radio buttons. A choice can have a sentence below it that explains it.
import { useId } from 'react';
import styles from './radio-list.module.css';

export interface RadioChoice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

export interface RadioListProps<T extends string> {
  readonly label: string;
  readonly choices: readonly RadioChoice<T>[];
  /** The chosen value; undefined if nothing is chosen yet. */
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
}

export function RadioList<T extends string>({ label, choices, value, onChange }: RadioListProps<T>) {
  const id = useId();
  return (
    <fieldset className={styles.list}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className={styles.choice}>
          <input
            type="radio"
            id={`${id}-${choice.value}`}
            name={id}
            checked={choice.value === value}
            {...(choice.hint !== undefined && { 'aria-describedby': `${id}-${choice.value}-hint` })}
            onChange={() => onChange(choice.value)}
          />
          <div>
            <label htmlFor={`${id}-${choice.value}`}>{choice.label}</label>
            {choice.hint !== undefined && <p id={`${id}-${choice.value}-hint`}>{choice.hint}</p>}
          </div>
        </div>
      ))}
    </fieldset>
  );
}
