// The section for the password of the user.
import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Section } from '../parts/page.tsx';

const ChangePasswordDialog = lazy(() => import('./change-password-dialog.tsx'));

export function OwnPassword() {
  const { t } = useLingui();
  const [changing, setChanging] = useState(false);
  return (
    <Section
      title={t`Password`}
      note={<Trans>A new password ends your sessions in other browsers.</Trans>}
      actions={
        <Button onClick={() => setChanging(true)}>
          <Trans>Change the password</Trans>
        </Button>
      }
    >
      <Suspense>{changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}</Suspense>
    </Section>
  );
}
