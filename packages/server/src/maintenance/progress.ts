/** Receives the progress of a command. The function is called often, and need not show every call. */
export type OnProgress = (step: { readonly what: string; readonly done: number; readonly all?: number }) => void;
