// The records on the operation stream (specification: Events).
import Type, { type Static } from 'typebox';
import { operationStatus } from './enums.ts';
import { Message } from './message.ts';
import { I32, I64Text, NumericEnum, optional } from './schema.ts';

/** One operation: an unnamed event of the stream, and a row of the account's log. */
export const Operation = Type.Object(
  {
    revision: I64Text,
    createdTime: I64Text,
    type: I32,
    reqSeq: Type.Integer({ description: "in the actor's own log the reqSeq of the call that caused it, in others 0" }),
    status: optional(NumericEnum('OpStatus', operationStatus)),
    param1: optional(Type.String()),
    param2: optional(Type.String()),
    param3: optional(Type.String()),
    message: optional(Message),
  },
  { title: 'Operation' },
);
export type Operation = Static<typeof Operation>;
