// Looks for the person whose user id is in the page's address. People send such addresses so that others can add them.
import { Trans, useLingui } from '@lingui/react/macro';
import { UserRoundX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { problemOf } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { contactPath, routes } from '../../routes.ts';

export default function AddScreen({ userid }: { userid: string }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [, go] = useLocation();
  const online = useMirror(({ status }) => status.connection.state === 'online');
  const [outcome, setOutcome] = useState<'nobody' | { readonly problem: string }>();
  const isNobody = outcome === 'nobody';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new connection asks again
  useEffect(() => {
    if (isNobody) return;
    let current = true;
    remote.contacts.findByUserid(userid).then(
      (found) => {
        if (!current) return;
        if (found) go(contactPath(found.mid), { replace: true });
        else setOutcome('nobody');
      },
      (error: unknown) => current && setOutcome({ problem: problemOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [remote, userid, go, isNobody, online]);
  if (outcome === undefined) return <div aria-busy="true" />;
  return (
    <Empty
      icon={<UserRoundX />}
      title={isNobody ? t`${userid} was not found` : t`${userid} could not be looked up`}
      action={
        <Button onClick={() => go(routes.contacts)}>
          <Trans>To the contacts</Trans>
        </Button>
      }
    >
      {isNobody ? t`Nobody here has this user id, or they do not want to be found.` : outcome.problem}
    </Empty>
  );
}
