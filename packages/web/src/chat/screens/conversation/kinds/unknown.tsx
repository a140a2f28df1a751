// A message of a kind that this page does not know. Its text is shown if it has one.
import { Trans } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import styles from './kinds.module.css';

export function UnknownContent({ message }: { message: StoredMessage }) {
  return (
    <>
      {message.text !== undefined && (
        <p className={styles.text} dir="auto">
          {message.text}
        </p>
      )}
      <p className={styles.quiet}>
        <Trans>This page cannot show this kind of message ({message.contentType}).</Trans>
      </p>
    </>
  );
}
