// Reads a QR code with the camera.
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import styles from './camera.module.css';
import { createCodeReader } from './code-reader.ts';

const EVERY_MS = 150;

export function Camera({ onCode, onClose }: { onCode: (text: string) => void; onClose: () => void }) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<'refused' | 'none'>();
  const found = useEffectEvent(onCode);
  useEffect(() => {
    const ended = new AbortController();
    if (video.current)
      watch(video.current, ended.signal, (text) => found(text)).catch((error: Error) => {
        if (!ended.signal.aborted) setProblem(error.name === 'NotAllowedError' ? 'refused' : 'none');
      });
    return () => ended.abort();
  }, []);
  return (
    <div className={styles.camera}>
      {problem === undefined ? (
        <video ref={video} className={styles.video} muted playsInline aria-label={t`Picture of the camera`} />
      ) : (
        <p role="alert">
          {problem === 'refused' ? (
            <Trans>
              This page may not use the camera. Allow it in the settings of your browser, or paste the code.
            </Trans>
          ) : (
            <Trans>No camera was found. Paste the code instead.</Trans>
          )}
        </p>
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
