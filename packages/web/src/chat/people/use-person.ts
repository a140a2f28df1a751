// Returns the record of a user from the page's state. If the record is not there, asks the server once.
import type { Contact } from '@sealpost/contract';
import { useEffect, useState } from 'react';
import { useMirror, useRemote } from '../client/context.tsx';
import { shownContact } from '../client/mirror-state.ts';

export interface Person {
  readonly contact: Contact | undefined;
  /** True if the record is in the page's state. Only then is it updated when it changes. */
  readonly known: boolean;
  readonly loading: boolean;
}

export function usePerson(mid: string): Person {
  const remote = useRemote();
  const kept = useMirror(({ contacts }) => contacts.get(mid));
  const known = kept !== undefined;
  const [asked, setAsked] = useState<{ mid: string; contact: Contact | undefined }>();
  useEffect(() => {
    if (known) return;
    let current = true;
    remote.contacts
      .get([mid])
      .then((found) => found.get(mid))
      .then((contact) => contact && shownContact(contact))
      .catch(() => undefined)
      .then((contact) => {
        if (current) setAsked({ mid, contact });
      });
    return () => {
      current = false;
    };
  }, [remote, mid, known]);
  const answer = asked?.mid === mid ? asked : undefined;
  return { contact: kept ?? answer?.contact, known, loading: !known && answer === undefined };
}
