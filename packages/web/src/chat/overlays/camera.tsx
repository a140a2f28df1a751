// Reads a QR code with the camera.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import styles from './camera.module.css';
import { createCodeReader } from './code-reader.ts';

const EVERY_MS = 150;

const problems: Readonly<Record<string, MessageDescriptor>> = {
  NotAllowedError: msg`This page may not use the camera. Allow it in the settings of your browser, or paste the code.`,
  NotFoundError: msg`No camera was found. Paste the code instead.`,
};

/** Returns the text that explains why no code can be scanned, by the name of the error. */
const cameraProblem = (name: string): MessageDescriptor =>
  problems[name] ?? msg`The camera could not be used. Paste the code instead.`;

export function Camera({ onCode, onClose }: { onCode: (text: string) => void; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<MessageDescriptor>();
  const found = useEffectEvent(onCode);
  useEffect(() => {
    const ended = new AbortController();
    if (video.current)
      watch(video.current, ended.signal, (text) => found(text)).catch((error: Error) => {
        if (!ended.signal.aborted) setProblem(cameraProblem(error.name));
      });
    return () => ended.abort();
  }, []);
  return (
    <div className={styles.camera}>
      {problem === undefined ? (
        <video ref={video} className={styles.video} muted playsInline aria-label={t`Picture of the camera`} />
      ) : (
        <p role="alert">{i18n._(problem)}</p>
      )}
      <Button look="quiet" onClick={onClose}>
        <Trans>Close the camera</Trans>
      </Button>
    </div>
  );
}

/** Shows the camera, and looks for a code several times a second until one is found or the signal aborts. */
async function watch(video: HTMLVideoElement, signal: AbortSignal, found: (text: string) => void): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false });
  const stop = (): void => {
    for (const track of stream.getTracks()) track.stop();
  };
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) return;
    video.srcObject = stream;
    await video.play();
    const read = await createCodeReader();
    while (!signal.aborted) {
      const text = await read(video);
      if (text !== undefined && !signal.aborted) return found(text);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  } finally {
    stop();
  }
}
