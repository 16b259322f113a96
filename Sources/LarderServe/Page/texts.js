// The language in which the page speaks. Each has a table with all texts, a section for each screen; what has a
// number or a name in it is a function. A test compares the tables.

import { en } from './en.js';

/** The texts, in the phone's language; in English where there is no table of it. */
export let t = en;

const others = { de: () => import('./de.js') };

/** Takes the language of the phone, before anything is drawn. */
export async function speak() {
  const code = navigator.language.slice(0, 2).toLowerCase();
  t = (await others[code]?.().catch(() => null))?.[code] || en;
  document.documentElement.lang = t.code;
}
