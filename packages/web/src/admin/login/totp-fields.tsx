// The fields that add an authenticator app: the QR code and the secret for the app, and a field for the first code.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminResult } from '@sealpost/sdk/admin';
import { Field } from '../../design/field.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import styles from './login-page.module.css';

export interface TotpFieldsProps {
  readonly totp: AdminResult<'beginTotp'>;
  readonly code: string;
  readonly fault: string | undefined;
  readonly onCode: (code: string) => void;
}

export function TotpFields({ totp: { secret, uri }, code, fault, onCode }: TotpFieldsProps) {
  const { t } = useLingui();
  const groups = secret.match(/.{1,4}/g) ?? [];
  return (
    <>
      <div className={styles.code}>
        <QrCode text={uri} label={t`Code for the app`} />
      </div>
      <p className={styles.quiet}>
        <Trans>
          Or type this secret: <code>{groups.join(' ')}</code>
        </Trans>
      </p>
      <Field
        label={t`Code of your app`}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        value={code}
        error={fault}
        onChange={({ target }) => onCode(target.value.trim())}
      />
    </>
  );
}
