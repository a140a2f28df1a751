// Records a voice message, in the place of the composer. The recording is sent or thrown away, but never stored. If the
// person leaves the chat while it records, it ends, and waits with the files of the composer.
import { Trans, useLingui } from '@lingui/react/macro';
import type { OutgoingMedia } from '@sealpost/sdk';
import { SendHorizontal, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconButton } from '../../../../design/button.tsx';
import { duration } from '../../../../words/numbers.ts';
import styles from './attach-dialogs.module.css';
import { type Recording, startRecording } from './recording.ts';
import { microphoneProblem } from './voice.ts';

const LOOK_MS = 100;
/** Minimum length of a recording that is kept when the person leaves the chat. */
const KEPT_MS = 1_000;

export interface VoiceRecorderProps {
  readonly onDone: (media: OutgoingMedia) => void;
  readonly onCancel: () => void;
  /** Called with the recording if the person leaves the chat. */
  readonly onLeave: (media: OutgoingMedia, size: number) => void;
}

export default function VoiceRecorder({ onDone, onCancel, onLeave }: VoiceRecorderProps) {
  const { t, i18n } = useLingui();
  const [recording, setRecording] = useState<Recording>();
  const [problem, setProblem] = useState<string>();
  const [now, setNow] = useState({ ms: 0, level: 0 });
  const isOver = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the recording begins once, and ends with the component
  useEffect(() => {
    const started = startRecording();
    started.then(setRecording, (error: Error) => setProblem(error.name));
    const end = async (): Promise<void> => {
      const made = await started;
      if (!isOver.current && made.elapsed() >= KEPT_MS) {
        const media = await made.finish();
        onLeave(media, media.bytes.size);
      }
      made.end();
    };
    return () => void end().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (!recording) return;
    const timer = setInterval(() => setNow({ ms: recording.elapsed(), level: recording.level() }), LOOK_MS);
    return () => clearInterval(timer);
  }, [recording]);
  const throwAway = (): void => {
    isOver.current = true;
    onCancel();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    throwAway();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  const send = async (): Promise<void> => {
    // A double click must not send twice.
    if (!recording || isOver.current) return;
    isOver.current = true;
    onDone(await recording.finish());
  };
  return (
    <section className={styles.recorder} aria-label={t`Voice message`}>
      <IconButton ref={cancel} label={t`Do not send`} onClick={throwAway}>
        <Trash2 />
      </IconButton>
      {problem !== undefined ? (
        <p role="status" className={styles.problem}>
          {i18n._(microphoneProblem(problem))}
        </p>
      ) : recording ? (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <span className={styles.time} role="timer" aria-label={t`Recorded`}>
            {duration(now.ms)}
          </span>
          <meter className={styles.meter} aria-label={t`Loudness`} min={0} max={1} value={now.level} />
        </>
      ) : (
        <p>
          <Trans>The browser asks for the microphone…</Trans>
        </p>
      )}
      <IconButton label={t`Send the voice message`} look="primary" disabled={!recording} onClick={() => void send()}>
        <SendHorizontal />
      </IconButton>
    </section>
  );
}
