// The causes with which the outbox stores the messages of a bot. A message whose cause is known is not sent again.

/** Returns the prefix of the causes with which the outbox stores the messages of one event. */
export const keysOf = (revision: string): string => `bot/${revision}/`;

/**
 * Returns the `cause` of a message in the outbox. The cause is made from the key of the message, or from its number if
 * it has no key.
 */
export type CauseOf = (key: string | undefined, number: number) => string | undefined;

/** Returns a function that makes the causes of one event's messages. */
export const causesOf =
  (prefix: string): CauseOf =>
  (key, number) =>
    key === undefined ? `${prefix}${number}` : `${prefix}own/${key}`;

/** Returns the cause of a message that is sent outside of an event; undefined if it has no key. */
export const ownCause: CauseOf = (key) => (key === undefined ? undefined : `bot/own/${key}`);

/** Returns the key of a message that was sent outside of an event, or the revision of the event, from a cause. */
export function partsOfCause(cause = ''): {
  readonly key?: string | undefined;
  readonly revision?: string | undefined;
} {
  const [, key, revision] = /^bot\/(?:own\/(.*)|(\d+)\/)/s.exec(cause) ?? [];
  return { key, revision };
}
