// Announces new messages to screen readers, and shows the number of unread chats in the title of the page.

import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { announce } from '../access/live-region.tsx';
import { timeOfDay } from '../words/dates.ts';
import { heard, incoming, pageTitle, silence } from './announcements.ts';
import { useMirror, useMirrorActions } from './client/context.tsx';
import { nameOf } from './client/mirror-state.ts';
import { chatOfPath } from './routes.ts';
import { previewOf } from './rows/preview.ts';

const SENTENCE_MS = 1_000;

export function Announcer({ unread }: { unread: number }) {
  const { t, i18n } = useLingui();
  const { store } = useMirrorActions();
  const [path] = useLocation();
  const chats = useMirror((state) => state.chats);
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const brand = useMirror(({ status }) => status.server?.brand ?? 'Sealpost');
  const before = useRef(chats);
  const waiting = useRef(silence);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    document.title = pageTitle(brand, unread);
  }, [brand, unread]);
  useEffect(() => {
    const came = incoming(before.current, chats, me);
    before.current = chats;
    if (came.length === 0) return;
    waiting.current = heard(waiting.current, came, chatOfPath(path));
    timer.current ??= setTimeout(() => {
      const { last, here, elsewhere } = waiting.current;
      waiting.current = silence;
      timer.current = undefined;
      const state = store.getState();
      const count = plural(here + elsewhere, { one: '# new message', other: '# new messages' });
      if (!last || here > 1 || elsewhere > 0) return announce(count);
      const sender = nameOf(state, last.from);
      const text = previewOf(last, (mid) => nameOf(state, mid));
      const time = timeOfDay(i18n.locale, Number(last.createdTime));
      announce(t`${sender}: ${text}, ${time}`);
    }, SENTENCE_MS);
  }, [chats, me, path, store, t, i18n]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return null;
}
