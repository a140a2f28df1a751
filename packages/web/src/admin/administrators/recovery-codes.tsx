// The section for the recovery codes of the user. It shows how many are left, and makes new ones.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Section, Shown, Tag } from '../parts/page.tsx';
import type { OwnFactors } from './use-own-factors.ts';

const RenewCodesDialog = lazy(() => import('./renew-codes-dialog.tsx'));

/** If fewer codes than this are left, the page advises to make new ones. */
const FEW = 3;

export function RecoveryCodes({ own }: { readonly own: OwnFactors }) {
  const { t } = useLingui();
  const [renewing, setRenewing] = useState(false);
  return (
    <Section
      title={t`Recovery codes`}
      note={<Trans>Each stands in for a second factor that you lost, once.</Trans>}
      actions={
        <Button onClick={() => setRenewing(true)}>
          <Trans>Make new codes</Trans>
        </Button>
      }
    >
      <Shown of={own} rows={1}>
        {({ recoveryCodesLeft: left }) => (
          <p>
            <Tag look={left < FEW ? 'warn' : 'calm'}>
              {plural(left, { one: '# code is left', other: '# codes are left' })}
            </Tag>
          </p>
        )}
      </Shown>
      <Suspense>{renewing && <RenewCodesDialog onDone={own.reload} onClose={() => setRenewing(false)} />}</Suspense>
    </Section>
  );
}
