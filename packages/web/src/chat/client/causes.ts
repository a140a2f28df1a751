// Gives each call that queues a message a name of its own. A second engine that gets the same call queues nothing.

interface WithCause {
  readonly args: readonly unknown[];
  readonly cause: string;
}

/** The place of the options among the arguments of the calls that queue a message. */
const optionsAt: Readonly<Record<string, number>> = {
  'messaging.queue': 1,
  'messaging.queueText': 2,
  'messaging.queueFile': 2,
};

/** Returns the arguments with the cause among the options; undefined if the call queues nothing. */
export function withCause(path: string, args: readonly unknown[], cause: string): WithCause | undefined {
  const place = optionsAt[path];
  if (place === undefined) return undefined;
  const given = args[place];
  const options = { ...(typeof given === 'object' && given), cause };
  return { args: args.toSpliced(place, 1, options), cause };
}
