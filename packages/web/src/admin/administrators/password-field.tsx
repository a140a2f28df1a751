// The field for the user's own password. The user must type it to change the login.
import { useLingui } from '@lingui/react/macro';
import { Field } from '../../design/field.tsx';

export interface PasswordFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onValue: (password: string) => void;
}

export function PasswordField({ value, error, onValue }: PasswordFieldProps) {
  const { t } = useLingui();
  return (
    <Field
      label={t`Your password`}
      type="password"
      autoComplete="current-password"
      required
      value={value}
      error={error}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}
