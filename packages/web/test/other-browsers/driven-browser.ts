// A browser of another make than Chromium. Firefox and WebKit are driven over their own protocols.

export interface DrivenBrowser {
  /** Opens an address, and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** Goes back to the page that was open before. */
  back(): Promise<void>;
  reload(): Promise<void>;
  /** Runs the body of an async function in the page. Its result must be a JSON value. */
  run(body: string): Promise<unknown>;
  /** Presses a key for each character where the focus is. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Both protocols have the same form for keys that are pressed. */
export const keyActions = (text: string) => [
  {
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
];

/** The key Enter in both protocols. */
export const ENTER = '\uE007';
