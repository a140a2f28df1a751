// The text that explains why no account could be opened.
import { Trans, useLingui } from '@lingui/react/macro';
import { timeApart } from '../../../../words/time-apart.ts';
import { useSecondsLeft } from '../../../safety/use-seconds-left.ts';
import type { Refusal } from './refusal.ts';

export function RefusalText({ refusal }: { refusal: Refusal }) {
  switch (refusal.kind) {
    case 'wait':
      return <Wait until={refusal.until} />;
    case 'used-up':
    case 'over':
      return <Trans>This invitation was used already. Ask whoever invited you for another one.</Trans>;
    case 'expired':
      return <Trans>This invitation has expired. Ask whoever invited you for another one.</Trans>;
    case 'revoked':
      return <Trans>This invitation was withdrawn. Ask whoever invited you for another one.</Trans>;
    case 'unknown-code':
      return <Trans>There is no invitation with this code. Compare it with yours, letter by letter.</Trans>;
    case 'closed':
      return <Trans>This server opens no accounts here. Ask its operator.</Trans>;
    case 'network':
      return <Trans>The server cannot be reached. Check the connection.</Trans>;
    case 'work':
      return <Trans>This took too long. Try again.</Trans>;
    case 'taken':
    case 'fields':
      return <Trans>Look at the fields that are marked.</Trans>;
    case 'other':
      return <>{refusal.detail}</>;
  }
}

/** Maximum number of seconds for which the countdown is shown in seconds. */
const COUNTED_SECONDS = 100;

function Wait({ until }: { until: number }) {
  const { i18n } = useLingui();
  const seconds = useSecondsLeft(until);
  const time = timeApart(i18n.locale, seconds * 1_000);
  if (seconds === 0) return <Trans>You can try again now.</Trans>;
  if (seconds > COUNTED_SECONDS) return <Trans>There were too many attempts. You can try again in {time}.</Trans>;
  return (
    <>
      <Trans>There were too many attempts.</Trans>{' '}
      {/* Hidden from screen readers, which would read every second of the countdown aloud. */}
      <span aria-hidden="true">
        <Trans>You can try again in {seconds} s.</Trans>
      </span>
    </>
  );
}
