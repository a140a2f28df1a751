// A switch for a setting that is on or off, with the setting's name and an explanation.
import { type ReactNode, useEffect, useId, useState } from 'react';
import styles from './switch.module.css';

export interface SwitchProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly icon?: ReactNode;
  readonly checked: boolean;
  readonly disabled?: boolean;
  /**
   * Changes the setting. Until `checked` changes, the switch shows the new value; if the returned promise resolves to
   * false, it shows the old value again.
   */
  readonly onChange: (checked: boolean) => undefined | Promise<boolean>;
}

export function Switch({ label, hint, icon, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId();
  const [wanted, setWanted] = useState<boolean>();
  const shown = wanted ?? checked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change that was wanted is here
  useEffect(() => setWanted(undefined), [checked]);
  const change = async (on: boolean): Promise<void> => {
    setWanted(on);
    if ((await onChange(on)) === false) setWanted(undefined);
  };
  return (
    <div className={styles.row}>
      {icon}
      <div className={styles.words}>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && <p id={`${id}-hint`}>{hint}</p>}
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={shown}
        aria-checked={shown}
        aria-busy={wanted !== undefined}
        disabled={disabled}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => void change(event.target.checked)}
      />
    </div>
  );
}
