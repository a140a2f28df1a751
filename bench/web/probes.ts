// Functions that run inside the page and record what the browser does. They are sent to the browser as text, so they
// must not use anything outside themselves.

export interface Span {
  /** Milliseconds since the page began to load. */
  readonly start: number;
  readonly duration: number;
}

export interface Notes {
  /**
   * Time of the first paint, in milliseconds since the page began to load. `largestPaint` is the time of the paint of
   * the largest element.
   */
  firstPaint: number;
  largestPaint: number;
  /** Tasks that kept the page busy for more than 50 ms. */
  readonly longTasks: Span[];
  /** Events that took 16 ms or more until the next frame. The browser does not report shorter ones. */
  readonly events: Span[];
  /** The times at which keys were pressed. */
  readonly keys: number[];
  /** The times at which frames began. */
  readonly frames: number[];
  /** The times at which marked messages first came into view, by their marks. A mark is a number between § signs. */
  readonly shown: Record<string, number>;
  /**
   * The time at which the first row of the list of chats came into view. `firstMessage` is the time of the first
   * message.
   */
  firstChat: number;
  firstMessage: number;
}

declare global {
  var benchNotes: Notes;
  /** Starts recording frames. Recording them keeps the page busy. */
  var benchFrames: () => void;
}

/** Starts recording. This function runs before the scripts of the page. */
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

  // The browser calls this observer in the frame that lays out a new element.
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
  /** The largest distance, in pixels, between the message and its first position. */
  readonly pixels: number;
  /** True if older messages were loaded while the message was watched. */
  readonly grew: boolean;
}

/**
 * Scrolls near the upper edge of the list, so that older messages are loaded. Watches the position of a message in each
 * frame, until the list has grown and some more frames have passed.
 */
export async function shiftOf({ scrollTop, frames }: { scrollTop: number; frames: number }): Promise<Shift> {
  const log = document.querySelector<HTMLElement>('[role=log]');
  if (!log) throw new Error('no chat is open');
  const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const top = (): number => log.getBoundingClientRect().top;
  log.scrollTop = scrollTop;
  // In the first frames, the rows that come into view are shown and measured.
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
    // Small changes of the height come from rows whose height was estimated wrongly. Only a large one is a page of
    // older messages.
    if (log.scrollHeight - height > 500) left -= 1;
  }
  return { pixels, grew: left === 0 };
}

/** Opens a chat by its address. Returns the milliseconds until its messages are in the page. */
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
  /** Milliseconds from the last key until the first result. `allMs` is the time until everything has been searched. */
  readonly firstMs: number;
  readonly allMs: number;
  readonly results: number;
  /** The number of messages that were searched, as the page shows it. */
  readonly searched: number;
}

/** Waits until a word is typed into the search field, and then for the results. */
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
