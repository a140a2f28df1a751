// Forms of arguments that existing clients send instead of the form that a method's entry declares. The entry lists
// them under `alsoTakes`. Servers convert arguments into the entry's form before they validate them.

type Arguments = readonly unknown[];
export type Struct = Readonly<Record<string, unknown>>;

/** A form of arguments that differs from the one that a method's entry declares. */
export interface ArgumentForm {
  /** A description of what the client sends, for the documents. */
  readonly description: string;
  /** An example of arguments in this form. */
  readonly example: Arguments;
  /**
   * Returns true if the arguments have this form instead of the entry's form. Looks only at the number of arguments and
   * the JSON type of one of them. The schema checks everything else, and its error names the wrong argument.
   */
  readonly matches: (args: Arguments) => boolean;
  readonly canonical: (args: Arguments) => Arguments;
}

const CHAT = 'c00000000000000000000000000000001';
const USER = 'u00000000000000000000000000000001';
/** The mids in the examples of all entries. */
export const exampleMids = { chat: CHAT, user: USER } as const;

export const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a field of a value; undefined if the value is not a struct or does not have the field. */
export const field = (value: unknown, name: string): unknown =>
  isStruct(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Removes fields whose value is undefined, because a field that the client did not send must count as not set. */
export const present = (fields: Struct): Struct =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Returns true if there are several arguments and the first is not a struct. Then the client sent values instead of a
 * struct, or before one.
 */
export const beginsFlat = (args: Arguments): boolean => args.length > 1 && !isStruct(args[0]);

/** Returns the form in which a client sends `[reqSeq, chatMid, …]` instead of one struct. */
export const flatChat = (
  description: string,
  rest: Arguments,
  fieldsOf: (args: Arguments) => Struct = () => ({}),
): ArgumentForm => ({
  description,
  example: [1, CHAT, ...rest],
  matches: (args) => beginsFlat(args) && args.length === 2 + rest.length,
  canonical: (args) => [present({ reqSeq: args[0], chatMid: args[1], ...fieldsOf(args) })],
});

/**
 * Returns the form in which a client sends `[reqSeq, struct]`, although the entry declares one struct that contains
 * reqSeq.
 */
export const reqSeqBeside = (
  description: string,
  struct: Struct,
  fieldsOf: (struct: Struct) => Struct = (same) => same,
): ArgumentForm => ({
  description,
  example: [1, struct],
  matches: beginsFlat,
  canonical: ([reqSeq, beside]) => [isStruct(beside) ? present({ ...fieldsOf(beside), reqSeq }) : beside],
});

const targetsOf = (args: Arguments): Struct => ({
  targetUserMids: isStruct(args[2]) ? field(args[2], 'targetUserMids') : args[2],
});

/**
 * Forms of the arguments of calls about a chat and some of its users. The fields are separate arguments instead of
 * fields of a request object.
 */
export const flatTargets: readonly ArgumentForm[] = [
  flatChat('three values: reqSeq, chat, list of users', [[USER]], targetsOf),
  flatChat('three values: reqSeq, chat, struct of users', [{ targetUserMids: [USER] }], targetsOf),
];
