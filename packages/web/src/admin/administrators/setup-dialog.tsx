// The dialog that makes a setup link for a new administrator, and then shows the link.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminResult } from '@sealpost/sdk/admin';
import { useState } from 'react';
import { Field } from '../../design/field.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import LinkDialog from '../parts/link-dialog.tsx';
import { clockTime } from '../parts/times.ts';

export default function SetupDialog({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const [name, setName] = useKept('setup-link/name', () => '');
  const [made, setMade] = useState<AdminResult<'createSetupLink'>>();
  if (made) {
    const end = clockTime(i18n.locale, Date.parse(made.expiresTime));
    return (
      <LinkDialog
        title={t`The setup link`}
        link={made.link}
        note={t`Whoever opens it becomes an administrator. It works once, until ${end}, and is shown only now.`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t`New administrator`}
      verb={t`Make a link`}
      size="s"
      lost={t`The server did not answer. A link may have been made that nobody has seen. It expires by itself, so make another.`}
      onSubmit={async () => setMade(await adminClient().createSetupLink(name === '' ? {} : { name }))}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p>
            <Trans>A link leads to the setup: a name, a password and a second factor.</Trans>
          </p>
          <Field
            label={t`Name (optional)`}
            hint={t`Then only this name can be taken. Small letters, digits, dots, dashes and underscores.`}
            pattern="[a-z0-9][a-z0-9._\-]{0,31}"
            autoComplete="off"
            value={name}
            error={faults.name ?? faults['']}
            onChange={({ target }) => setName(target.value.trim())}
          />
        </>
      )}
    </FormDialog>
  );
}
