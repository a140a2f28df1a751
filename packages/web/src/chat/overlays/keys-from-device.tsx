// Gets the keys from another device, which scans a QR code that is shown here.
import { Trans, useLingui } from '@lingui/react/macro';
import { useCallback, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { toast } from '../../design/toast.ts';
import { problemOf } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { CallError } from '../client/remote.ts';
import { QrSteps } from '../safety/qr-steps.tsx';

export function KeysFromDevice({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [problem, setProblem] = useState<string>();
  const begin = useCallback(async (): Promise<void> => {
    const came = await remote.engine.keysFromDevice();
    toast({ text: came ? t`Your keys are here now.` : t`The other device had no keys to hand over.` });
    onDone();
  }, [remote, onDone, t]);
  const onFail = useCallback(
    (error: unknown): void => {
      if (error instanceof CallError && error.name === 'AbortError') onDone();
      else if (error instanceof CallError && error.fields.kind === 'refused')
        setProblem(t`The code was refused, or nobody scanned it in time.`);
      else setProblem(problemOf(error));
    },
    [onDone, t],
  );
  if (problem === undefined) return <QrSteps begin={begin} onFail={onFail} />;
  return (
    <>
      <p role="alert">{problem}</p>
      <Button look="primary" onClick={() => setProblem(undefined)}>
        <Trans>Show a new code</Trans>
      </Button>
    </>
  );
}
