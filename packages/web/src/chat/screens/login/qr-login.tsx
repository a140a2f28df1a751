// The login by a QR code. A device that is already logged in scans that code.
import { Trans } from '@lingui/react/macro';
import { useCallback, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { problemOf } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { CallError } from '../../client/remote.ts';
import { QrSteps } from '../../safety/qr-steps.tsx';
import { type LoginProblem, loginProblemOf } from './login-problem.ts';
import { LoginProblemText } from './login-problem-text.tsx';
import styles from './login-screen.module.css';

interface Failed {
  readonly problem: LoginProblem;
  readonly since: number;
  readonly detail: string;
}

export function QrLogin({ onBack }: { onBack: () => void }) {
  const remote = useRemote();
  const [failed, setFailed] = useState<Failed>();
  const begin = useCallback(() => remote.engine.loginByQr(), [remote]);
  const onFail = useCallback(
    (error: unknown) => {
      const problem: LoginProblem = error instanceof CallError ? loginProblemOf(error) : { kind: 'other' };
      if (problem.kind === 'cancelled') onBack();
      else setFailed({ problem, since: Date.now(), detail: problemOf(error) });
    },
    [onBack],
  );
  return (
    <div className={styles.form}>
      {failed ? (
        <>
          <p role="alert" className={styles.problem}>
            {failed.problem.kind === 'over' ? (
              <Trans>The code was refused, or nobody scanned it in time.</Trans>
            ) : (
              <LoginProblemText {...failed} />
            )}
          </p>
          <Button look="primary" wide onClick={() => setFailed(undefined)}>
            <Trans>Show a new code</Trans>
          </Button>
        </>
      ) : (
        <QrSteps begin={begin} onFail={onFail} />
      )}
      <Button look="quiet" wide onClick={onBack}>
        <Trans>Log in with a password</Trans>
      </Button>
    </div>
  );
}
