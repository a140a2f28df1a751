// Lists the tokens with which machines call a part of the admin API.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminToken } from '@sealpost/sdk/admin';
import { KeyRound } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../design/button.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { OrNone } from '../parts/or-none.tsx';
import { Section, Tag } from '../parts/page.tsx';
import { useQuestion } from '../parts/question.tsx';
import { RowFact, Rows, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import { useScopeNames } from './use-scope-names.ts';

const TokenDialog = lazy(() => import('./token-dialog.tsx'));

export function Tokens() {
  const { t } = useLingui();
  const [creating, setCreating] = useKept('token', () => false);
  const tokens = useLoaded('admin-tokens', async () => (await adminClient().listTokens()).tokens);
  const [ask, dialog] = useQuestion(tokens.reload);
  const revoke = ({ id, name }: AdminToken): void =>
    ask({
      title: t`Revoke ${name}?`,
      text: t`Programs with this token are refused at once.`,
      verb: t`Revoke`,
      done: t`The token was revoked.`,
      run: () => adminClient().revokeToken({ token: id }),
    });
  return (
    <Section
      title={t`Tokens for machines`}
      note={<Trans>With a token a program may call a part of the admin API. It needs no login.</Trans>}
      actions={
        <Button look="primary" icon={<KeyRound size={18} />} onClick={() => setCreating(true)}>
          <Trans>Make a token</Trans>
        </Button>
      }
    >
      <OrNone of={tokens} none={t`No program has a token.`}>
        {(items) => (
          <Rows label={t`Tokens`} items={items} keyOf={({ id }) => id}>
            {(token) => (
              <>
                <TokenText token={token} />
                <Button aria-label={t`Revoke ${token.name}`} onClick={() => revoke(token)}>
                  <Trans>Revoke</Trans>
                </Button>
              </>
            )}
          </Rows>
        )}
      </OrNone>
      {dialog}
      <Suspense>{creating && <TokenDialog onClose={() => setCreating(false)} onMade={tokens.reload} />}</Suspense>
    </Section>
  );
}

function TokenText({ token }: { readonly token: AdminToken }) {
  const { t } = useLingui();
  const names = useScopeNames();
  const { name, scopes, createdBy, expiresTime, lastUsedTime } = token;
  const isOver = expiresTime !== undefined && Date.parse(expiresTime) <= Date.now();
  return (
    <>
      <RowText
        title={
          <>
            <bdi>{name}</bdi>
            {scopes.map((scope) => (
              <Tag key={scope}>{names[scope].name}</Tag>
            ))}
            {isOver && <Tag look="warn">{t`expired`}</Tag>}
          </>
        }
      >
        <Trans>
          made by <bdi>{createdBy}</bdi>
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
      <RowFact wide>
        {expiresTime === undefined ? (
          t`never expires`
        ) : (
          <Trans>
            until <When time={expiresTime} exact />
          </Trans>
        )}
      </RowFact>
    </>
  );
}
