// One person: picture, name, what they say about themselves, and what one can do.
import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowLeft, MessageSquare } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button, IconButton } from '../../../design/button.tsx';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { chatPath, routes } from '../../routes.ts';
import { SafetySection } from '../../safety/safety-section.tsx';
import styles from './contact-screen.module.css';

export default function ContactScreen({ mid }: { mid: string }) {
  const { t } = useLingui();
  const [, go] = useLocation();
  const name = useMirror((state) => nameOf(state, mid));
  const status = useMirror(({ contacts }) => contacts.get(mid)?.statusMessage);
  return (
    <section className={styles.screen} aria-label={name}>
      <IconButton label={t`Back to the contacts`} className={styles.back} onClick={() => go(routes.contacts)}>
        <ArrowLeft />
      </IconButton>
      <ChatAvatar mid={mid} size="xl" />
      <h2>
        <bdi>{name || t`Unknown`}</bdi>
      </h2>
      {status && <p dir="auto">{status}</p>}
      <Button look="primary" icon={<MessageSquare size={18} />} onClick={() => go(chatPath(mid))}>
        <Trans>Write a message</Trans>
      </Button>
      <SafetySection mid={mid} />
    </section>
  );
}
