// Gives each call that queues a message a unique name, its cause. If a second engine gets the same call, it finds the
// cause in the outbox and does not queue the message twice.

interface WithCause {
  readonly args: readonly unknown[];
  readonly cause: string;
}

/** The index of the options among the arguments, for each method that queues a message. */
const optionsAt: Readonly<Record<string, number>> = {
  'messaging.queue': 1,
  'messaging.queueText': 2,
  'messaging.queueFile': 2,
};

/** Returns the arguments with the cause added to the options; undefined if the method does not queue a message. */
export function withCause(path: string, args: readonly unknown[], cause: string): WithCause | undefined {
  const place = optionsAt[path];
  if (place === undefined) return undefined;
  const given = args[place];
  const options = { ...(typeof given === 'object' && given), cause };
  return { args: args.toSpliced(place, 1, options), cause };
}
