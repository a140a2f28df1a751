// Runs a function after a long press with a finger.
import { type PointerEvent, useRef } from 'react';

const LONG_MS = 450;
const MOVED_PX = 10;

export function useLongPress(run: (target: HTMLElement) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined);
  const stop = (): void => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  return {
    onPointerDown({ pointerType, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
      stop();
      if (pointerType !== 'touch') return;
      press.current = { timer: setTimeout(() => run(currentTarget), LONG_MS), x: clientX, y: clientY };
    },
    onPointerMove({ clientX, clientY }: PointerEvent<HTMLElement>) {
      const { x, y } = press.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) > MOVED_PX) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
