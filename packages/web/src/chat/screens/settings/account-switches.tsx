// Settings of the account as switches. They apply to all devices of the account.
import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import type { Settings } from '@sealpost/contract';
import { Switch } from '../../../design/switch.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { ask } from '../../overlays/overlays.ts';
import styles from './settings-screen.module.css';

/** The names of the settings that are on or off. */
export type Flag = { [N in keyof Settings]-?: NonNullable<Settings[N]> extends boolean ? N : never }[keyof Settings];

export interface AccountSwitch {
  readonly name: Flag;
  readonly label: MessageDescriptor;
  readonly hint: MessageDescriptor;
  /** The question to ask before the setting is turned off, if that has bad consequences. */
  readonly turningOff?: { readonly title: MessageDescriptor; readonly text: MessageDescriptor };
}

export function AccountSwitches({ switches }: { switches: readonly AccountSwitch[] }) {
  return (
    <div className={styles.card}>
      {switches.map((entry) => (
        <OneSwitch key={entry.name} {...entry} />
      ))}
    </div>
  );
}

function OneSwitch({ name, label, hint, turningOff }: AccountSwitch) {
  const { t, i18n } = useLingui();
  const { profile } = useRemote();
  const value = useMirror(({ status }) => status.settings?.[name]);
  const change = async (on: boolean): Promise<boolean> => {
    if (!on && turningOff) {
      const { title, text } = turningOff;
      if (!(await ask({ title: i18n._(title), text: i18n._(text), action: t`Turn off` }))) return false;
    }
    return attempt(() => profile.settings.set({ [name]: on }));
  };
  return (
    <Switch
      label={i18n._(label)}
      hint={i18n._(hint)}
      checked={value === true}
      disabled={value === undefined}
      onChange={change}
    />
  );
}
