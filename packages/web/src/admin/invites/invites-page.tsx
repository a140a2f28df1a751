// Invites: links with which people open accounts themselves.
import { Trans, useLingui } from '@lingui/react/macro';
import type { CreatedInvite, Invite } from '@sealpost/sdk/admin';
import { MailPlus, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/empty.tsx';
import { act } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useListed } from '../client/use-listed.ts';
import { Listing } from '../parts/listing.tsx';
import { Page, Tag } from '../parts/page.tsx';
import { RowFact, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';

const Ask = lazy(() => import('../parts/ask.tsx'));
const InviteDialog = lazy(() => import('./invite-dialog.tsx'));
const LinkDialog = lazy(() => import('../parts/link-dialog.tsx'));

export default function InvitesPage() {
  const { t } = useLingui();
  const [creating, setCreating] = useKept('invite', () => false);
  const [created, setCreated] = useState<CreatedInvite>();
  const [revoked, setRevoked] = useState<Invite>();
  const invites = useListed<Invite>('invites', async (cursor) => {
    const { invites: items, cursor: next } = await adminClient().listInvites(cursor === undefined ? {} : { cursor });
    return { items, cursor: next };
  });
  const show = (invite: CreatedInvite): void => {
    setCreating(false);
    setCreated(invite);
    void invites.reload();
  };
  return (
    <Page
      title={t`Invites`}
      actions={
        <Button look="primary" icon={<Plus size={18} />} onClick={() => setCreating(true)}>
          <Trans>Invite people</Trans>
        </Button>
      }
    >
      <Listing
        label={t`Invites`}
        of={invites}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<MailPlus />} title={t`No invites yet`}>
            <Trans>An invite is a link and a QR code. Whoever opens it makes an account, and is logged in.</Trans>
          </Empty>
        }
      >
        {(invite) => <InviteRow invite={invite} onRevoke={() => setRevoked(invite)} />}
      </Listing>
      <Suspense>
        {creating && <InviteDialog onClose={() => setCreating(false)} onCreated={show} onFailed={invites.reload} />}
        {created && (
          <LinkDialog
            title={t`The invite`}
            link={created.link}
            note={t`Send the link, or let people scan the code. It is shown only now.`}
            onClose={() => setCreated(undefined)}
          />
        )}
        {revoked && (
          <Ask
            title={t`Revoke this invite?`}
            verb={t`Revoke`}
            onYes={() =>
              act(() => adminClient().revokeInvite({ invite: revoked.id }), {
                done: t`The invite was revoked.`,
                after: invites.reload,
              })
            }
            onClose={() => setRevoked(undefined)}
          >
            <p>
              <Trans>Nobody can use it any more. Accounts that were opened with it stay.</Trans>
            </p>
          </Ask>
        )}
      </Suspense>
    </Page>
  );
}

interface InviteRowProps {
  readonly invite: Invite;
  readonly onRevoke: () => void;
}

function InviteRow({ invite, onRevoke }: InviteRowProps) {
  const { t } = useLingui();
  return (
    <>
      <RowText
        title={
          <>
            <bdi>{invite.name ?? invite.userid ?? t`An invite for anybody`}</bdi>
            <State invite={invite} />
          </>
        }
      >
        <bdi>{invite.note ?? invite.email ?? ''}</bdi>
      </RowText>
      <RowFact>
        <Trans>
          {invite.used} of {invite.uses} used
        </Trans>
      </RowFact>
      <RowFact wide>
        {invite.expires === undefined ? (
          t`never expires`
        ) : (
          <Trans>
            until <When time={invite.expires} exact />
          </Trans>
        )}
      </RowFact>
      {invite.state === 'usable' && (
        <Button onClick={onRevoke}>
          <Trans>Revoke</Trans>
        </Button>
      )}
    </>
  );
}

function State({ invite: { state } }: { readonly invite: Invite }) {
  const { t } = useLingui();
  const names: Readonly<Record<Invite['state'], string>> = {
    usable: t`open`,
    'used-up': t`used up`,
    expired: t`expired`,
    revoked: t`revoked`,
  };
  return <Tag look={state === 'usable' ? 'calm' : 'plain'}>{names[state]}</Tag>;
}
