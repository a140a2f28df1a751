// The page of one account: its data, its use of the server, and the actions for it.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountOverview } from '@sealpost/sdk/admin';
import { ArrowLeft, Ban, History, KeyRound, RotateCcw, Trash2 } from 'lucide-react';
import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react';
import { Avatar } from '../../design/avatar.tsx';
import { Button } from '../../design/button.tsx';
import { fileSize } from '../../words/numbers.ts';
import { act } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { Page, Shown, Tag } from '../parts/page.tsx';
import { goTo, placeAt } from '../parts/place.ts';
import { When } from '../parts/when.tsx';
import { Certificates, Keys, Logins, Sessions } from './person-lists.tsx';
import styles from './person-page.module.css';

const Ask = lazy(() => import('../parts/ask.tsx'));
const ResetDialog = lazy(() => import('./reset-dialog.tsx'));

export function PersonPage({ account }: { readonly account: string }) {
  const { t } = useLingui();
  const overview = useLoaded(account, () => adminClient().showOverview({ account }));
  const [changes, setChanges] = useState(0);
  const onChanged = (): Promise<void> => {
    setChanges((before) => before + 1);
    return overview.reload();
  };
  const name = overview.data?.displayName ?? t`Account`;
  const back = (
    <a className={styles.back} href={placeAt('people')}>
      <ArrowLeft size={16} />
      <Trans>People</Trans>
    </a>
  );
  return (
    <Page
      title={name}
      before={back}
      actions={overview.data && <Actions account={overview.data} onChanged={onChanged} />}
    >
      <Shown of={overview} rows={3}>
        {(shown) => <Person account={shown} changes={changes} />}
      </Shown>
    </Page>
  );
}

interface PersonProps {
  readonly account: AccountOverview;
  /** The number of changes since the page was opened. */
  readonly changes: number;
}

function Person({ account, changes }: PersonProps) {
  const { t, i18n } = useLingui();
  const { mid, displayName, userid, email, phone, kind, disabled, storage, lastSeenTime, createdTime } = account;
  const { locale } = i18n;
  const { objects } = storage;
  const orNone = (value: string | null): ReactNode => (value === null ? t`none` : <bdi>{value}</bdi>);
  return (
    <>
      <div className={styles.who}>
        <Avatar mid={mid} name={displayName} size="l" shape={kind === 'official' ? 'group' : 'person'} />
        <div className={styles.tags}>
          {kind === 'official' && <Tag look="calm">{t`official`}</Tag>}
          {disabled ? <Tag look="danger">{t`disabled`}</Tag> : <Tag look="calm">{t`can log in`}</Tag>}
        </div>
      </div>
      <Facts>
        <Fact name={t`User id`}>{orNone(userid)}</Fact>
        <Fact name={t`E-mail`}>{orNone(email)}</Fact>
        <Fact name={t`Phone`}>{orNone(phone)}</Fact>
        <Fact name={t`Technical id (mid)`}>
          <code>{mid}</code>
        </Fact>
        <Fact name={t`Media`}>
          {objects === 0
            ? t`no media`
            : `${fileSize(locale, storage.bytes)} · ${plural(objects, { one: '# file', other: '# files' })}`}
        </Fact>
        <Fact name={t`Last seen`}>{lastSeenTime === undefined ? t`never` : <When time={lastSeenTime} />}</Fact>
        <Fact name={t`Created`}>
          <When time={createdTime} exact />
        </Fact>
        <Fact name={t`Audit log`}>
          <a href={placeAt('audit', undefined, { subject: mid })} className={styles.history}>
            <History size={16} />
            <Trans>What was done here</Trans>
          </a>
        </Fact>
      </Facts>
      {/* To disable an account, or to change its password, ends what these lists show. The new key loads them again. */}
      <Fragment key={changes}>
        <Logins account={mid} />
        <Sessions account={mid} />
        <Certificates account={mid} />
      </Fragment>
      <Keys account={mid} />
    </>
  );
}

interface ActionsProps {
  readonly account: AccountOverview;
  readonly onChanged: () => Promise<void>;
}

function Actions({ account: { mid, displayName: name, disabled }, onChanged }: ActionsProps) {
  const { t } = useLingui();
  const [open, setOpen] = useKept<'disable' | 'reset' | 'delete' | undefined>(`person/${mid}`, () => undefined);
  const close = (): void => setOpen(undefined);
  const disable = (): Promise<boolean> =>
    act(() => adminClient().disableAccount({ account: mid }), {
      done: t`${name} is logged out everywhere.`,
      after: onChanged,
    });
  const enable = (): Promise<boolean> =>
    act(() => adminClient().enableAccount({ account: mid }), {
      done: t`${name} can log in again.`,
      undo: () => adminClient().disableAccount({ account: mid }),
      after: onChanged,
    });
  const remove = (): Promise<boolean> =>
    act(() => adminClient().deleteAccount({ account: mid }), {
      done: t`${name} was deleted.`,
      after: async (isDone) => (isDone ? goTo('people') : onChanged()),
    });
  return (
    <>
      {disabled ? (
        <Button icon={<RotateCcw size={18} />} onClick={() => void enable()}>
          <Trans>Enable</Trans>
        </Button>
      ) : (
        <Button icon={<Ban size={18} />} onClick={() => setOpen('disable')}>
          <Trans>Disable</Trans>
        </Button>
      )}
      <Button icon={<KeyRound size={18} />} onClick={() => setOpen('reset')}>
        <Trans>Reset password</Trans>
      </Button>
      <Button look="danger" icon={<Trash2 size={18} />} onClick={() => setOpen('delete')}>
        <Trans>Delete</Trans>
      </Button>
      <Suspense>
        {open === 'reset' && <ResetDialog account={mid} name={name} onClose={close} onDone={onChanged} />}
        {open === 'disable' && (
          <Ask title={t`Disable ${name}?`} verb={t`Disable`} onYes={disable} onClose={close}>
            <p>
              <Trans>
                The account is logged out everywhere, which cannot be undone. You can enable it later, but each device
                must log in again.
              </Trans>
            </p>
          </Ask>
        )}
        {open === 'delete' && (
          <Ask title={t`Delete ${name}?`} verb={t`Delete`} onYes={remove} onClose={close}>
            <p>
              <Trans>
                The account leaves all chats. Its profile, contacts, keys and media are removed. Messages that others
                received stay with them. This cannot be undone.
              </Trans>
            </p>
          </Ask>
        )}
      </Suspense>
    </>
  );
}
