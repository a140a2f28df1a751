// Lists the administrators of the server. They can be removed, and new ones can be added with a link.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Administrator } from '@sealpost/sdk/admin';
import { UserPlus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../design/button.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient, useSession } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Section, Shown, Tag } from '../parts/page.tsx';
import { useQuestion } from '../parts/question.tsx';
import { RowFact, Rows, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';

const SetupDialog = lazy(() => import('./setup-dialog.tsx'));

export function Administrators() {
  const { t } = useLingui();
  const own = useSession((state) => state.login?.administrator);
  const [inviting, setInviting] = useKept('setup-link', () => false);
  const list = useLoaded('administrators', async () => (await adminClient().listAdministrators()).administrators);
  const [ask, dialog] = useQuestion(list.reload);
  const remove = ({ name }: Administrator): void =>
    ask({
      title: t`Remove ${name}?`,
      text:
        name === own
          ? t`You are logged out at once, and need a new link to come back. Tokens for machines stay.`
          : t`All sessions of ${name} end at once. Tokens for machines stay: revoke those that ${name} knows.`,
      verb: t`Remove`,
      done: t`${name} is no longer an administrator.`,
      run: () => adminClient().removeAdministrator({ administrator: name }),
    });
  return (
    <Section
      title={t`Who may enter here`}
      actions={
        <Button look="primary" icon={<UserPlus size={18} />} onClick={() => setInviting(true)}>
          <Trans>Add an administrator</Trans>
        </Button>
      }
    >
      <Shown of={list} rows={2}>
        {(items) => (
          <Rows label={t`Administrators`} items={items} keyOf={({ name }) => name}>
            {(one) => (
              <>
                <Who administrator={one} isOwn={one.name === own} />
                {/* The server refuses to remove the last administrator, so the button is hidden. */}
                {items.length > 1 && (
                  <Button aria-label={t`Remove ${one.name}`} onClick={() => remove(one)}>
                    <Trans>Remove</Trans>
                  </Button>
                )}
              </>
            )}
          </Rows>
        )}
      </Shown>
      {dialog}
      <Suspense>{inviting && <SetupDialog onClose={() => setInviting(false)} />}</Suspense>
    </Section>
  );
}

interface WhoProps {
  readonly administrator: Administrator;
  readonly isOwn: boolean;
}

function Who({ administrator: { name, factors, lastLoginTime }, isOwn }: WhoProps) {
  const { t } = useLingui();
  const kinds = { passkey: t`passkey`, totp: t`app for codes` } as const;
  return (
    <>
      <RowText
        title={
          <>
            <bdi>{name}</bdi>
            {isOwn && <Tag look="calm">{t`you`}</Tag>}
            {factors.length === 0 && <Tag look="warn">{t`no second factor`}</Tag>}
          </>
        }
      >
        {factors.map((kind) => kinds[kind]).join(' · ')}
      </RowText>
      <RowFact wide>
        {lastLoginTime === undefined ? (
          t`not logged in yet`
        ) : (
          <Trans>
            logged in <When time={lastLoginTime} />
          </Trans>
        )}
      </RowFact>
    </>
  );
}
