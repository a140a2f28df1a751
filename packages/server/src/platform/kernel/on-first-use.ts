/**
 * Returns a function that makes a value at its first call and keeps it. A start is faster without what it does not need,
 * such as validators of endpoints that nobody may call.
 */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
