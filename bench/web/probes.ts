// What runs inside the page and notes what the browser does. These functions are sent to the browser as text, so they
// use nothing from outside.

export interface Span {
  /** In milliseconds since the page began. */
  readonly start: number;
  readonly duration: number;
}

export interface Notes {
  /** When the first and the largest thing were painted, in milliseconds since the page began. */
  firstPaint: number;
  largestPaint: number;
  /** Tasks that kept the page busy for more than 50 ms. */
  readonly longTasks: Span[];
  /** Events that took 16 ms or more until the next frame. Shorter ones are not told. */
  readonly events: Span[];
  /** When a key was pressed down. */
  readonly keys: number[];
  /** When frames began. */
  readonly frames: number[];
  /** When a message with a number between § signs was first in view, by number. */
  readonly shown: Record<string, number>;
  /** When the first row of the list of chats, and the first message, were in view. */
  firstChat: number;
  firstMessage: number;
}

declare global {
  var benchNotes: Notes;
  /** Notes frames from now on. That keeps the page busy. */
  var benchFrames: () => void;
}

/** Begins to note. It runs before the scripts of the page. */
export function takeNotes(): void {
  const notes: Notes = {
    ...{ firstPaint: 0, largestPaint: 0, firstChat: 0, firstMessage: 0 },
    ...{ longTasks: [], events: [], keys: [], frames: [], shown: {} },
  };
  globalThis.benchNotes = notes;
  const spanOf = ({ startTime, duration }: PerformanceEntry): Span => ({ start: startTime, duration });
  const observe = (type: string, note: (entry: PerformanceEntry) => void): void => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
    observer.observe({ type, buffered: true, ...(type === 'event' && { durationThreshold: 16 }) });
  };
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') notes.firstPaint = startTime;
  });
  observe('largest-contentful-paint', ({ startTime }) => {
    notes.largestPaint = startTime;
  });
  observe('longtask', (entry) => notes.longTasks.push(spanOf(entry)));
  observe('event', (entry) => {
    if (/^(key|input|beforeinput)/.test(entry.name)) notes.events.push(spanOf(entry));
  });
  addEventListener('keydown', ({ timeStamp }) => notes.keys.push(timeStamp), { capture: true });
  const frame = (time: number): void => {
    notes.frames.push(time);
    requestAnimationFrame(frame);
  };
  globalThis.benchFrames = () => void requestAnimationFrame(frame);

  // An observer of intersections is called in the frame that lays an element out.
  const inView = new IntersectionObserver((entries) => {
    const now = performance.now();
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      inView.unobserve(target);
      if (target.matches('li[data-index]')) notes.firstChat ||= now;
      if (target.matches('[data-message]')) notes.firstMessage ||= now;
      const number = /§(\d+)§/.exec(target.textContent ?? '')?.[1];
      if (number !== undefined && target.matches('article')) notes.shown[number] ??= now;
    }
  });
  const rows = 'article, li[data-index]';
  const added = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(rows)) inView.observe(node);
        for (const row of node.querySelectorAll(rows)) inView.observe(row);
      }
    }
  });
  added.observe(document, { childList: true, subtree: true });
}

export interface Shift {
  /** The largest distance in pixels of a message from where it was. */
  readonly pixels: number;
  /** Whether older messages came while the message was watched. */
  readonly grew: boolean;
}

/**
 * Scrolls to a place near the upper edge of the list, so that older messages are loaded. Watches a message in each frame
 * until the list has grown and some frames have passed.
 */
export async function shiftOf({ scrollTop, frames }: { scrollTop: number; frames: number }): Promise<Shift> {
  const log = document.querySelector<HTMLElement>('[role=log]');
  if (!log) throw new Error('no chat is open');
  const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const top = (): number => log.getBoundingClientRect().top;
  log.scrollTop = scrollTop;
  // The rows that come into view are shown and measured in the first frames.
  for (let waited = 0; waited < 6; waited++) await nextFrame();
  const height = log.scrollHeight;
  const watched = [...log.querySelectorAll<HTMLElement>('[data-message]')].find(
    (row) => row.getBoundingClientRect().top > top() + 20,
  );
  const place = (): number | undefined => {
    const row = log.querySelector(`[data-message="${watched?.dataset.message}"]`);
    return row ? row.getBoundingClientRect().top - top() : undefined;
  };
  const before = place() ?? 0;
  let pixels = 0;
  const deadline = performance.now() + 3_000;
  let left = frames;
  while (left > 0 && performance.now() < deadline) {
    await nextFrame();
    pixels = Math.max(pixels, Math.abs((place() ?? Number.POSITIVE_INFINITY) - before));
    // Rows that turn out higher or lower than estimated do not count as a page of older messages.
    if (log.scrollHeight - height > 500) left -= 1;
  }
  return { pixels, grew: left === 0 };
}

/** Opens a chat by its address. Returns after how many milliseconds its messages were in the page. */
export async function openingMs(chatMid: string): Promise<number> {
  const former = document.querySelector('[role=log]');
  const begun = performance.now();
  location.hash = `#/chats/${chatMid}`;
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const log = document.querySelector('[role=log]');
    if (log && log !== former && log.querySelector('[data-message]')) return performance.now() - begun;
    if (performance.now() - begun > 60_000) throw new Error(`the chat ${chatMid} did not open`);
  }
}

export interface SearchTimes {
  /** Milliseconds from the last key until the first result, and until everything was searched. */
  readonly firstMs: number;
  readonly allMs: number;
  readonly results: number;
  /** How many messages were searched, as the page says. */
  readonly searched: number;
}

/** Waits for a word in the field of the search, and then for its results. */
export async function searchTimes(): Promise<SearchTimes> {
  const pane = document.querySelector('section[aria-label="Search messages"]');
  if (!pane) throw new Error('the search is not open');
  const begun = await new Promise<number>((resolve) =>
    pane.addEventListener('input', () => resolve(performance.now()), { once: true }),
  );
  let first: number | undefined;
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const now = performance.now();
    const results = pane.querySelectorAll('li').length;
    if (results > 0) first ??= now;
    const searched = /^([\d,]+) messages? searched$/m.exec((pane as HTMLElement).innerText)?.[1];
    if (searched !== undefined) {
      const whole = Number(searched.replaceAll(',', ''));
      return { firstMs: (first ?? now) - begun, allMs: now - begun, results, searched: whole };
    }
    if (now - begun > 300_000) throw new Error('the search did not end');
  }
}
