/// <reference types="vite/client" />
declare module '*.po' {
  import type { Messages } from '@lingui/core';
  export const messages: Messages;
}

declare module '*.po?lingui' {
  export { messages } from '*.po';
}

interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): unknown;
  };
}
declare var trustedTypes: TrustedTypePolicyFactory | undefined;

interface ImportMetaEnv {
  /** The version of this package. */
  readonly VITE_PAGE_VERSION: string;
}
