// One account in a list.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountOverview } from '@sealpost/sdk/admin';
import { Avatar } from '../../design/avatar.tsx';
import { fileSize } from '../../words/numbers.ts';
import { Tag } from '../parts/page.tsx';
import { RowFact, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';

export function AccountRow({ account }: { readonly account: AccountOverview }) {
  const { t, i18n } = useLingui();
  const { mid, displayName, userid, email, kind, disabled, sessions, lastSeenTime, storage } = account;
  return (
    <>
      <Avatar mid={mid} name={displayName} size="s" shape={kind === 'official' ? 'group' : 'person'} />
      <RowText
        title={
          <>
            <bdi>{displayName}</bdi>
            {kind === 'official' && <Tag look="calm">{t`official`}</Tag>}
            {disabled && <Tag look="danger">{t`disabled`}</Tag>}
          </>
        }
      >
        <bdi>{[userid, email].filter(Boolean).join(' · ') || mid}</bdi>
      </RowText>
      <RowFact>{plural(sessions, { one: '# session', other: '# sessions' })}</RowFact>
      <RowFact>{storage.bytes === 0 ? t`no media` : fileSize(i18n.locale, storage.bytes)}</RowFact>
      <RowFact wide>
        {lastSeenTime === undefined ? (
          t`never seen`
        ) : (
          <Trans>
            seen <When time={lastSeenTime} />
          </Trans>
        )}
      </RowFact>
    </>
  );
}
