// The section for the second factors of the user.
import { Trans, useLingui } from '@lingui/react/macro';
import type { SecondFactor } from '@sealpost/sdk/admin';
import { Fingerprint, Smartphone } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useKept } from '../client/kept.ts';
import { useSession } from '../client/session.ts';
import styles from '../login/login-page.module.css';
import { hasPasskeys } from '../login/passkeys.ts';
import { Section, Shown, Tag } from '../parts/page.tsx';
import { RowFact, Rows, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import type { OwnFactors } from './use-own-factors.ts';

const FactorDialog = lazy(() => import('./factor-dialog.tsx'));
const RemoveFactorDialog = lazy(() => import('./remove-factor-dialog.tsx'));

export function SecondFactors({ own }: { readonly own: OwnFactors }) {
  const { t } = useLingui();
  const login = useSession((state) => state.login);
  const [adding, setAdding] = useKept<SecondFactor['kind'] | undefined>('factor', () => undefined);
  const [removed, setRemoved] = useState<SecondFactor>();
  const canAddPasskey = login !== undefined && hasPasskeys(login);
  return (
    <Section
      title={t`Your second factors`}
      note={<Trans>You log in with your password and one of these. Two are better than one: you may lose one.</Trans>}
      actions={
        <>
          {canAddPasskey && (
            <Button icon={<Fingerprint size={18} />} onClick={() => setAdding('passkey')}>
              <Trans>Add a passkey</Trans>
            </Button>
          )}
          <Button icon={<Smartphone size={18} />} onClick={() => setAdding('totp')}>
            <Trans>Add an app for codes</Trans>
          </Button>
        </>
      }
    >
      <Shown of={own} rows={1}>
        {({ factors }) =>
          factors.length === 0 ? (
            <p>
              <Tag look="warn">{t`no second factor`}</Tag>
            </p>
          ) : (
            <Rows label={t`Your second factors`} items={factors} keyOf={({ id }) => id}>
              {(factor) => (
                <>
                  <FactorText factor={factor} />
                  {/* The server refuses to remove the last second factor, so the button is hidden. */}
                  {factors.length > 1 && (
                    <Button aria-label={t`Remove ${factor.name}`} onClick={() => setRemoved(factor)}>
                      <Trans>Remove</Trans>
                    </Button>
                  )}
                </>
              )}
            </Rows>
          )
        }
      </Shown>
      {login?.passkeyOrigin !== undefined && !canAddPasskey && (
        <p className={styles.quiet}>
          <Trans>Passkeys work at {login.passkeyOrigin} only.</Trans>
        </p>
      )}
      <Suspense>
        {adding && <FactorDialog kind={adding} onAdded={own.reload} onClose={() => setAdding(undefined)} />}
        {removed && <RemoveFactorDialog factor={removed} onDone={own.reload} onClose={() => setRemoved(undefined)} />}
      </Suspense>
    </Section>
  );
}

function FactorText({ factor: { name, kind, createdTime, lastUsedTime } }: { readonly factor: SecondFactor }) {
  const { t } = useLingui();
  return (
    <>
      <RowText
        title={
          <>
            <bdi>{name}</bdi>
            <Tag>{kind === 'passkey' ? t`passkey` : t`app for codes`}</Tag>
          </>
        }
      >
        <Trans>
          since <When time={createdTime} exact />
        </Trans>
      </RowText>
      <RowFact wide>
        {lastUsedTime === undefined ? (
          t`not used yet`
        ) : (
          <Trans>
            used <When time={lastUsedTime} />
          </Trans>
        )}
      </RowFact>
    </>
  );
}
