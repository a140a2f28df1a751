/** How far a command is. Called often; the caller shows it as often as it wants. */
export type OnProgress = (step: { readonly what: string; readonly done: number; readonly all?: number }) => void;
