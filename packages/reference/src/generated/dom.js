// Generated from packages/reference/src/browser/dom.ts by `npm run docs`.
// The few DOM functions that the page needs.

/** Returns the element with this id. Throws if the page does not have it. */
export function find                       (id        , kind                      )    {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

export function element(
  name        ,
  attributes                                  ,
  ...children
)              {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
