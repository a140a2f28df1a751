// Makes sure that only one sound of the page plays at a time.

let playing: HTMLAudioElement | undefined;

/** Plays a sound, and pauses the one that played before. */
export function playAlone(sound: HTMLAudioElement): void {
  if (playing !== sound) playing?.pause();
  playing = sound;
  // Some browsers refuse to play before the person has pressed something. In this case, the sound stays paused, and its
  // button shows that.
  sound.play().catch(() => undefined);
}
