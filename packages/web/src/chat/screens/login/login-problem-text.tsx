// The text that says why a login failed.
import { Trans } from '@lingui/react/macro';
import { useSecondsLeft } from '../../safety/use-seconds-left.ts';
import type { LoginProblem } from './login-problem.ts';

export interface LoginProblemTextProps {
  readonly problem: LoginProblem;
  /** The time when the login failed, in epoch milliseconds. */
  readonly since: number;
  /** The message of the error. It is shown if this module has no text for the problem. */
  readonly detail: string;
}

export function LoginProblemText({ problem, since, detail }: LoginProblemTextProps) {
  const seconds = useSecondsLeft(since + ('waitMs' in problem ? problem.waitMs : 0));
  switch (problem.kind) {
    case 'wrong':
      return <Trans>User id or password is wrong.</Trans>;
    case 'too-many':
      if (seconds === 0) return <Trans>You can try again now.</Trans>;
      return (
        <>
          <Trans>Too many wrong passwords.</Trans> <Wait seconds={seconds} />
        </>
      );
    case 'busy':
      if (seconds === 0) return <Trans>You can try again now.</Trans>;
      return (
        <>
          <Trans>Many people are logging in at this moment.</Trans> <Wait seconds={seconds} />
        </>
      );
    case 'disabled':
      return <Trans>This account was disabled. Ask the operator of this server.</Trans>;
    case 'network':
      return <Trans>The server cannot be reached. Check the connection.</Trans>;
    case 'over':
      return <Trans>The other device refused, or nobody confirmed in time. Try again.</Trans>;
    case 'pin':
      return <Trans>The PIN was mistyped on the other device. Try again.</Trans>;
    case 'unsafe':
      return (
        <Trans>
          The login was stopped: somebody may be between this browser and your other device. Try again in another
          network, and compare the words.
        </Trans>
      );
    case 'no-more-devices':
      return (
        <Trans>This account allows no further device. You can change that in the settings of the first one.</Trans>
      );
    case 'not-allowed':
      return <Trans>The operator of this server does not allow this kind of login.</Trans>;
    default:
      return <>{detail}</>;
  }
}

/**
 * Shows the seconds to wait. The element is hidden from screen readers, which would read every second of the countdown
 * aloud.
 */
const Wait = ({ seconds }: { seconds: number }) => (
  <span aria-hidden="true">
    <Trans>You can try again in {seconds} s.</Trans>
  </span>
);
