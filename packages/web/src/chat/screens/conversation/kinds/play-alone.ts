// One sound plays at a time in a page.

let playing: HTMLAudioElement | undefined;

/** Plays a sound, and pauses the one that played before. */
export function playAlone(sound: HTMLAudioElement): void {
  if (playing !== sound) playing?.pause();
  playing = sound;
  // A browser that plays nothing without a press leaves it paused, which the button shows.
  sound.play().catch(() => undefined);
}
