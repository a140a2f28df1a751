// The dialog that makes a token, and then shows its secret once.
import { Trans, useLingui } from '@lingui/react/macro';
import type { TokenScope } from '@sealpost/sdk/admin';
import { useId, useState } from 'react';
import { Field } from '../../design/field.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import styles from './token-dialog.module.css';
import { useScopeNames } from './use-scope-names.ts';

export interface TokenDialogProps {
  readonly onClose: () => void;
  readonly onMade: () => Promise<void>;
}

const SCOPES: readonly TokenScope[] = ['read', 'accounts', 'moderation'];
const MOST_DAYS = 3650;

export default function TokenDialog({ onClose, onMade }: TokenDialogProps) {
  const { t } = useLingui();
  const [name, setName] = useKept('token/name', () => '');
  const [days, setDays] = useKept('token/days', () => '90');
  const [scopes, setScopes] = useKept<readonly TokenScope[]>('token/scopes', () => ['read']);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined)
    return (
      <SecretDialog
        title={t`The token`}
        secret={secret}
        note={t`Give it to the program now. It is not shown again.`}
        onClose={onClose}
      />
    );
  const create = async (): Promise<void> => {
    const wanted = { name, scopes: [...scopes], ...(days !== '' && { days: Number(days) }) };
    const { token } = await adminClient().createToken(wanted);
    setSecret(token);
    await onMade();
  };
  return (
    <FormDialog
      title={t`New token`}
      verb={t`Make a token`}
      lost={t`The server did not answer. The token may have been made, but it cannot be shown again. If it is in the list, revoke it, and make another.`}
      onSubmit={create}
      onFailed={onMade}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {faults[''] !== undefined && <p role="alert">{faults['']}</p>}
          <Field
            label={t`What it is for`}
            autoComplete="off"
            maxLength={100}
            required
            value={name}
            error={faults.name}
            onChange={({ target }) => setName(target.value)}
          />
          <ScopeBoxes scopes={scopes} fault={faults.scopes} onScopes={setScopes} />
          <Field
            label={t`Days until it expires (optional)`}
            hint={t`Without a number it never expires.`}
            type="number"
            min={1}
            max={MOST_DAYS}
            value={days}
            error={faults.days}
            onChange={({ target }) => setDays(target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

interface ScopeBoxesProps {
  readonly scopes: readonly TokenScope[];
  readonly fault: string | undefined;
  readonly onScopes: (scopes: readonly TokenScope[]) => void;
}

function ScopeBoxes({ scopes, fault, onScopes }: ScopeBoxesProps) {
  const id = useId();
  const names = useScopeNames();
  return (
    <fieldset className={styles.scopes}>
      <legend>
        <Trans>What it may do</Trans>
      </legend>
      {SCOPES.map((scope) => (
        <div key={scope} className={styles.scope}>
          <input
            id={`${id}-${scope}`}
            type="checkbox"
            checked={scopes.includes(scope)}
            aria-describedby={`${id}-${scope}-hint`}
            // At least one scope is needed. The browser reports this at the first box.
            required={scopes.length === 0 && scope === SCOPES[0]}
            onChange={({ target }) =>
              onScopes(SCOPES.filter((one) => (one === scope ? target.checked : scopes.includes(one))))
            }
          />
          <div>
            <label htmlFor={`${id}-${scope}`}>{names[scope].name}</label>
            <p id={`${id}-${scope}-hint`}>{names[scope].hint}</p>
          </div>
        </div>
      ))}
      {fault !== undefined && <p role="alert">{fault}</p>}
    </fieldset>
  );
}
