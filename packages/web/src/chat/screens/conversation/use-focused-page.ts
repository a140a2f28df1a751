// Whether the page is in front, and has the focus of the window.
import { useEffect, useState } from 'react';

const inFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

export function useFocusedPage(): boolean {
  const [focused, setFocused] = useState(inFront);
  useEffect(() => {
    const look = (): void => setFocused(inFront());
    for (const name of ['focus', 'blur']) addEventListener(name, look);
    document.addEventListener('visibilitychange', look);
    return () => {
      for (const name of ['focus', 'blur']) removeEventListener(name, look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return focused;
}
