/**
 * Returns a function that makes a value at its first call and then keeps the value. The server starts faster if it does
 * not make values that may never be used, such as validators of some endpoints.
 */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
