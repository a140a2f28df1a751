// The body of refusals of the admin API and of the other JSON endpoints (RFC 9457).
import Type, { type Static } from 'typebox';
import { optional } from './schema.ts';

/** The names of refusals about which the status says too little, and what each means. */
const problemCodes = {
  'account-deleted': 'the account was deleted in the meantime',
  'begin-again': 'a step of several is over or is missing, so the first one must be repeated',
  'disk-full': 'the disk of the server is full',
  'last-administrator': 'the last administrator of a server stays',
  'last-factor': 'the last second factor of an administrator stays',
  'pack-known': 'the pack is in the catalogue already',
  'report-changed': 'somebody else takes care of the report than the caller expected',
  'report-resolved': 'the report is resolved already',
  'store-silent': 'the store does not answer',
  'unknown-account': 'no account has the mid or user id',
  'wrong-code': 'the code of an authenticator app is wrong',
  'wrong-password': 'the password of the administrator is wrong',
} as const;
export type ProblemCode = keyof typeof problemCodes;

/** The names of rules that a field can break. */
const fieldCodes = {
  'control-characters': 'has control characters',
  'display-name': 'is empty, too long, or has control characters',
  email: 'does not look like name@host',
  password: 'is too short, too long, too common, or the user id',
  phone: 'is not a phone number in international form',
  userid: 'is not a user id',
} as const;
export type FieldCode = keyof typeof fieldCodes;

const listed = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('; ');

/** The body of every refusal (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: optional(Type.String({ description: `the name of some refusals, for programs. ${listed(problemCodes)}` })),
    field: optional(Type.String({ description: 'the field whose value is taken by another account' })),
    errors: optional(
      Type.Array(
        Type.Object({
          field: Type.String(),
          message: Type.String(),
          code: optional(Type.String({ description: `the name of some rules. ${listed(fieldCodes)}` })),
        }),
      ),
    ),
  },
  { title: 'Problem' },
);
export type Problem = Static<typeof Problem>;
