// The actions for a call: send it again, or copy it.
import type { CallRecord } from '@sealpost/contract/workbench';
import { curlOf, harOf, sdkCodeOf } from '@sealpost/testing/export';
import { Code, Download, Pencil, Send, Terminal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { toast } from '../../design/toast.ts';
import { callWithTag } from '../feed/feed.ts';
import { useInspector } from '../feed/store.ts';
import { copyText, download, tried } from '../parts/hand-out.ts';
import { goTo } from '../parts/place.ts';
import styles from './call-actions.module.css';
import { type Draft, draftOf, sendDraft } from './resend.ts';
import { ResendDialog } from './resend-dialog.tsx';

const PATIENCE_MS = 10_000;

export function CallActions({ record }: { readonly record: CallRecord }) {
  const facts = useInspector((state) => state.facts);
  const [draft, setDraft] = useState<Draft>();
  if (!facts) return null;
  const { url, brand, buildToken } = facts;
  const send = (wanted: Draft): Promise<void> =>
    tried(async () => {
      const tag = await sendDraft(wanted, brand);
      const id = await callWithTag(tag, PATIENCE_MS);
      setDraft(undefined);
      if (id !== undefined) return goTo('calls', String(id));
      toast({ text: 'It was sent, and the server has not seen it yet. Look at the end of the list.', about: 'resend' });
    });
  const original = (): Draft => draftOf(record, { brand, buildToken });
  return (
    <div className={styles.actions} role="toolbar" aria-label="This call">
      <Button look="quiet" icon={<Send size={16} />} onClick={() => void send(original())}>
        Resend
      </Button>
      <Button look="quiet" icon={<Pencil size={16} />} onClick={() => setDraft(original())}>
        Edit and resend
      </Button>
      <Button
        look="quiet"
        icon={<Terminal size={16} />}
        onClick={() => void copyText(curlOf(record, { url }), 'curl command')}
      >
        Copy as curl
      </Button>
      <Button
        look="quiet"
        icon={<Code size={16} />}
        onClick={() => void copyText(sdkCodeOf(record, { url, brand, buildToken }), 'SDK code')}
      >
        Copy as SDK code
      </Button>
      <Button
        look="quiet"
        icon={<Download size={16} />}
        onClick={() => download(`call-${record.id}.har`, JSON.stringify(harOf([record], { url }), null, 2))}
      >
        Save as HAR
      </Button>
      {draft && <ResendDialog draft={draft} userid={record.userid} onSend={send} onClose={() => setDraft(undefined)} />}
    </div>
  );
}
