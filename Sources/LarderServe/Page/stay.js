// Rows that were dealt with stay where they are until their screen is left or looked at anew: nothing moves up
// under a thumb that taps again.

const AWAY = 60000;

/** Calls `forget` when somebody comes back to the page after a while: rows are looked at anew then. */
export function afterAWhile(forget) {
  let hiddenAt = 0;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (hiddenAt && Date.now() - hiddenAt > AWAY) forget();
  });
}

/** The rows of a screen. Each has a `key`; one that is gone from the rows comes as it was last, with `isGone`. */
export function staying() {
  let keys = [];
  let last = new Map();
  afterAWhile(() => (keys = []));
  return {
    /** Forgets what is gone: the screen is left. */
    leave() {
      keys = [];
    },
    /** The rows in the order in which they stand, with those that are gone, and new ones in their places. */
    rows(wanted) {
      const now = new Map(wanted.map((row) => [row.key, row]));
      const known = new Set(keys);
      const all = [...keys];
      wanted.forEach(({ key }, index) => {
        if (known.has(key)) return;
        const before = all.indexOf(wanted[index - 1]?.key);
        all.splice(before + 1, 0, key);
      });
      keys = all;
      last = new Map(keys.map((key) => [key, now.get(key) || { ...last.get(key), isGone: true }]));
      return [...last.values()];
    },
  };
}
