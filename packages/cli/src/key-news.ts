// The text that `listen` prints about keys: new keys, and keys that must not be trusted.
import type { Operation } from '@sealpost/contract';
import { type KeyTrustError, keyNewsOf, type RpcClient } from '@sealpost/sdk';
import { type Output, styled } from './output.ts';
import type { People } from './people.ts';

type KeyOperation = Pick<Operation, 'type' | 'param1' | 'param2'>;

/** Prints alarms about keys whenever the client raises them. Returns a function that stops the printing. */
export function noteAlarms(client: RpcClient, output: Output): () => void {
  return client.trust.onEvent((event) => {
    if (event.kind === 'alarm') output.note(emphasized(`ALARM: ${alarmText(event.error)}`));
    if (event.kind === 'own-key-unknown') {
      output.note(
        emphasized(
          `ALARM: the key log has key ${event.key.keyId} of your account, which this device does not hold. If no other device of yours made it, somebody else did: sealpost devices list`,
        ),
      );
    }
  });
}

/** Prints that a user has a new key. If that user was verified, the note is a warning in bold. */
export async function noteNewKey(
  client: RpcClient,
  output: Output,
  people: People,
  operation: KeyOperation,
): Promise<void> {
  const news = keyNewsOf(operation);
  if (!news) return;
  const { mid, keyId } = news;
  if (mid === undefined) {
    output.note(
      `Your account has a new key, ${keyId}. If none of your devices made it, somebody else did: sealpost devices list`,
    );
    return;
  }
  const verified = await client.trust.verified(mid);
  await people.tryToLearn([mid]);
  const name = people.nameOf(mid);
  if (verified?.keyId === keyId) return;
  if (!verified) {
    const earlier = (await client.trust.knownKeys(mid)).some((known) => known.keyId < keyId);
    output.note(earlier ? newKeyText(name, mid, keyId) : firstKeyText(name, mid, keyId));
    return;
  }
  output.note(
    emphasized(
      `!!! ${name}, whom you verified on ${dayOf(verified.time)}, has a NEW KEY, ${keyId}. Nothing is sealed for them until you compare again: sealpost verify-contact ${mid}`,
    ),
  );
}

/**
 * Returns the text of an alarm. If the server changed its key log, the text includes the log's two signed heads, with
 * which the user can prove the change.
 */
export const alarmText = ({ message, heads }: KeyTrustError): string =>
  heads ? `${message}\nThe head that was known, and the one that was shown: ${JSON.stringify(heads)}` : message;

/**
 * Prints a note if the key of a recipient has changed since the last sealed message. For a verified recipient, nothing
 * is printed here, because the command then fails with a message.
 */
export function noteChangedKeys(client: RpcClient, output: Output, nameOf: (mid: string) => string): void {
  client.trust.onEvent((event) => {
    if (event.kind !== 'key-changed' || event.verified) return;
    output.note(newKeyText(nameOf(event.mid), event.mid, event.keyId));
  });
}

const newKeyText = (name: string, mid: string, keyId: number): string =>
  `${name} has a new key, ${keyId}: a new device without the old keys, or somebody in their place. Compare: sealpost verify-contact ${mid}`;

const firstKeyText = (name: string, mid: string, keyId: number): string =>
  `${name} has a key, ${keyId}, the first that this device hears of. To be sure that it is theirs: sealpost verify-contact ${mid}`;

/** Returns the date of a time in epoch milliseconds, such as 2026-01-31. */
export const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10);

/** Makes text bold on a terminal. Outside of a terminal, the text stays as it is. */
const emphasized = (text: string): string => styled('bold', text, process.stderr);
