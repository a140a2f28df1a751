// A message with a sound or voice recording: a button to play and pause, and a slider. Only one sound plays at a time.
import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { duration } from '../../../../words/numbers.ts';
import { durationOf } from '../../../media/about-media.ts';
import { useWhole } from '../../../media/use-media.ts';
import styles from './media.module.css';
import { playAlone } from './play-alone.ts';

const SECOND_MS = 1000;
const STEP_S = 0.1;

export function SoundContent({ message }: { message: StoredMessage }) {
  const { t, i18n } = useLingui();
  const sound = useRef<HTMLAudioElement>(null);
  const [isWanted, setWanted] = useState(false);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [measured, setMeasured] = useState<number>();
  const { entry, retry } = useWhole(message, isWanted);
  const told = durationOf(message.contentMetadata);
  // The files of some recordings do not contain their duration. So the duration in the message is preferred.
  const seconds = told !== undefined && told > 0 ? told / SECOND_MS : (measured ?? 0);

  const press = (): void => {
    setWanted(true);
    const { current } = sound;
    if (entry.state === 'failed') retry();
    if (!current) return;
    if (isPlaying) current.pause();
    else playAlone(current);
  };
  const seek = (to: number): void => {
    setAt(to);
    if (sound.current) sound.current.currentTime = to;
    else setWanted(true);
  };
  const isLoading = isWanted && entry.state === 'loading';
  return (
    <>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.round}
          aria-label={isPlaying ? t`Pause` : t`Play`}
          aria-busy={isLoading}
          onClick={press}
        >
          {isPlaying ? <Pause /> : <Play />}
        </button>
        <div className={styles.about}>
          <input
            type="range"
            className={styles.slider}
            aria-label={t`Position in the sound`}
            aria-valuetext={t`${duration(at * SECOND_MS)} of ${duration(seconds * SECOND_MS)}`}
            min={0}
            max={Math.max(seconds, STEP_S)}
            step={STEP_S}
            value={Math.min(at, seconds)}
            onChange={(event) => seek(event.target.valueAsNumber)}
          />
          <span>{duration((isPlaying || at > 0 ? at : seconds) * SECOND_MS)}</span>
        </div>
      </div>
      {entry.state === 'failed' && (
        <p className={styles.problem} role="status">
          {i18n._(entry.problem.text)}
        </p>
      )}
      {entry.state === 'ready' && (
        // biome-ignore lint/a11y/useMediaCaption: a voice note has no captions
        <audio
          ref={sound}
          src={entry.url}
          onLoadedMetadata={({ currentTarget }) => {
            if (Number.isFinite(currentTarget.duration)) setMeasured(currentTarget.duration);
            if (!isWanted) return;
            currentTarget.currentTime = at;
            playAlone(currentTarget);
          }}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onEnded={() => setAt(0)}
          onTimeUpdate={({ currentTarget }) => setAt(currentTarget.ended ? 0 : currentTarget.currentTime)}
        />
      )}
    </>
  );
}
