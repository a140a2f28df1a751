// A button to accept the server's new record of keys. It is shown with alarms that a server causes, too, that was restored
// from a backup or set up anew. Without it, nothing could be sealed for new keys any more.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../design/button.tsx';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { ask } from '../overlays/overlays.ts';
import { isOfOtherLog } from './decisions.ts';

export function AcceptLog({ reason }: { reason: string }) {
  const { t } = useLingui();
  const remote = useRemote();
  if (!isOfOtherLog(reason)) return null;
  const accept = async (): Promise<void> => {
    const yes = await ask({
      title: t`Accept the new record of keys?`,
      text: t`First ask the operator, in another way than here, whether the server was restored from a backup or set up anew. If it was not, somebody may be in between, and could read what you write from now on. After you accept, compare the safety number with each person to whom you write what must stay private.`,
      action: t`Accept the new record`,
    });
    if (!yes) return;
    if (await attempt(() => remote.engine.acceptLog())) toast({ text: t`The new record of keys is accepted.` });
  };
  return (
    <Button onClick={() => void accept()}>
      <Trans>Accept the new record</Trans>
    </Button>
  );
}
