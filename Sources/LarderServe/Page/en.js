// What the page says in English. One noun has no verb beside it: "Eggs: in the basket" is right for any number.

const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
const distance = (number, unit) => ({ short: `+${number} ${unit[0]}`, long: count(number, unit) });

export const en = {
  code: 'en',
  /** Units that stand in files, as they are said of one and of many; what is not here is its own word. */
  units: {},
  days: {
    today: 'today', about: 'about ', near: { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' },
    ago: (days) => `${days} days ago`, ahead: (days) => `in ${days} days`,
  },
  pick: {
    days: (number) => distance(number, 'day'), weeks: (number) => distance(number, 'week'), months: (number) => distance(number, 'month'),
    otherDay: 'another date', noDate: 'No date', otherPlace: 'Another',
    past: (days) => `That is ${days === -1 ? 'yesterday' : `${-days} days ago`}: it will stand under Expired.`,
  },
  fields: {
    less: 'Less', more: 'More', close: 'Close', noPlace: 'no place', howMuch: 'How much?',
    noAmount: (text) => `“${text}” is no amount: 2, 750 g, ½ l`,
    noNumber: (text) => `“${text}” is no number.`,
  },
  frame: {
    list: 'List', stock: 'Stock', due: 'Due', receipts: 'Receipts', more: 'More', screens: 'Screens',
    needYou: ' need you', areDue: ' are due', reading: 'Reading the household …', undo: 'Undo', undoOf: (words) => `Undo: ${words}`,
    waiting: (number) => `${number} waiting`, isOld: 'This page is older than the household’s program. ', reload: 'Load it again',
    isOffline: 'Offline only', silentSince: (time) => `Not connected since ${time}`, silent: 'Not connected',
    notSynced: (time, why) => `${time ? `Not synced since ${time}` : 'Never synced'}: ${why}`,
    takenBack: (words) => `Taken back: ${words}`, nothingChanged: (why) => `Nothing changed. ${why}`,
    isPrivate: 'This browser keeps nothing for this page, so what you tap would be lost. Open the page in a window that is not private, or allow it to keep data.',
    isFull: 'This phone can’t keep what you tap: it seems to have no room left. Remove something from it that you don’t need.',
    unread: (why) => `What came could not be read: ${why}`, answered: (status) => `The server answered ${status}.`,
  },
  /** What an act has done, as a message and under More. */
  done: {
    use: (what) => `Used: ${what}`, put: (what) => `Put: ${what}`, spoil: (what) => `Thrown away: ${what}`, count: (what) => `Counted: ${what}`,
    move: (what, place) => `Moved: ${what}, ${place}`, open: (what) => `Opened: ${what}`,
  },
  list: {},
  entry: {},
  stock: {},
  item: {},
  due: {},
  away: {},
  receipts: {},
  save: {},
  more: {},
  pair: {},
  first: {},
  back: {},
  settings: {},
  scan: {},
};
