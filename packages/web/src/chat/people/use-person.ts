// Returns the record of a user from the page's state. If the record is not there, asks the server. If that fails, asks
// again when the page is connected.
import type { Contact } from '@sealpost/contract';
import { useEffect, useState } from 'react';
import { problemOf } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { shownContact } from '../client/mirror-state.ts';

export interface Person {
  readonly contact: Contact | undefined;
  /** True if the record is in the page's state. Only then is it updated when it changes. */
  readonly known: boolean;
  readonly loading: boolean;
  /** Why the server could not be asked. */
  readonly problem: string | undefined;
}

interface Asked {
  readonly mid: string;
  readonly contact?: Contact | undefined;
  readonly problem?: string;
}

export function usePerson(mid: string): Person {
  const remote = useRemote();
  const kept = useMirror(({ contacts }) => contacts.get(mid));
  const known = kept !== undefined;
  const [asked, setAsked] = useState<Asked>();
  const online = useMirror(({ status }) => status.connection.state === 'online');
  const answer = asked?.mid === mid ? asked : undefined;
  const answered = known || (answer !== undefined && answer.problem === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new connection asks again
  useEffect(() => {
    if (answered) return;
    let current = true;
    remote.contacts
      .get([mid])
      .then((found) => found.get(mid))
      .then((contact) => contact && shownContact(contact))
      .then(
        (contact) => current && setAsked({ mid, contact }),
        (error: unknown) => current && setAsked({ mid, problem: problemOf(error) }),
      );
    return () => {
      current = false;
    };
  }, [remote, mid, answered, online]);
  return { contact: kept ?? answer?.contact, known, loading: !known && answer === undefined, problem: answer?.problem };
}
