// What the page says in English. One noun has no verb beside it: "Eggs: in the basket" is right for any number.

const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

export const en = {
  code: 'en',
  /** Units that stand in files, as they are said of one and of many; what is not here is its own word. */
  units: {},
  days: {
    today: 'today', about: 'about ', near: { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' },
    ago: (days) => `${days} days ago`, ahead: (days) => `in ${days} days`,
  },
  fields: {
    less: 'Less', more: 'More', close: 'Close', noPlace: 'no place', howMuch: 'How much?',
    noAmount: (text) => `“${text}” is no amount: 2, 750 g, ½ l`,
    noNumber: (text) => `“${text}” is no number.`,
  },
  frame: {
    title: 'Larder',
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
    got: (name) => `${name}: in the basket`, ungot: (name) => `${name}: out of the basket`, drop: (name) => `${name}: off the list`,
    want: (what) => `${what}: on the list`, wantAll: (number) => `On the list: ${count(number, 'thing')}`,
    renamed: (old) => (name) => `${old} is now ${name}`, note: (name) => (text) => `${name}: ${text || 'no note'}`,
    unarchive: (name) => `Restored: ${name}`, restore: (what) => `Back on the list: ${what}`, unvoid: (what) => `Receipt restored: ${what}`, settings: 'Changed: settings of the household',
    place: (name) => `New place: ${name}`, placeChanged: (name) => `Changed: ${name}`, unplace: (name) => `Removed: ${name}`,
  },
  refused: {
    short: (much) => `Only ${much} is there.`, noneThere: 'Nothing is there any more.', taken: (name) => `There is a ${name} already.`,
    takenArchived: (name) => `${name} is there already, archived.`, gone: 'What it was about is not there any more.', saved: (by, time) => `${by || 'Somebody'} saved this basket, ${time}.`,
  },
  list: {
    scan: 'Scan a barcode', add: 'Add to the list', addHint: 'Add: 2 l milk, eggs 12', suggestions: 'Suggestions', quoted: (text) => `“${text}”`,
    asTyped: 'as typed: Enter puts this on the list', isNew: 'new: nothing in the stock is called so', isUnclear: 'write 1.5 or 1500: this may be both',
    alsoCalled: 'also called ', atHome: (much) => `${much} at home`, isInBasket: (much) => `in the basket: ${much}`,
    onList: (much, all) => `on the list: ${much}${all ? ` → ${all}` : ''}`, whatOf: (much) => `${much} of what?`,
    often: 'You often buy these about now', low: 'Low or out', allLow: (number) => `All ${number} that are low`, isOn: 'on the list',
    pasted: (number) => `${count(number, 'line was', 'lines were')} pasted`, things: (number) => count(number, 'thing'),
    isHeading: 'looks like a heading, so it is left out', putOn: (name) => `${name}: put on the list`, putLines: (number) => `Put ${number} on the list`,
    order: 'Order of the list', sorts: { category: 'By category', name: 'A–Z', added: 'As added' }, toBuy: (number) => `To buy ${number}`,
    search: 'Search the list', searchEnd: 'End the search', notFound: (words) => `Nothing on the list is called “${words}”`,
    notFoundMore: 'Its notes and other names don’t have it either.', wantFound: (words) => `Put “${words}” on the list`,
    other: 'Other', inBasket: 'In the basket', change: (name) => `${name}: change `, howMuchOf: (name) => `${name}: how much`, waits: 'not sent yet, ',
    refused: (why) => `refused: ${why}`, nothing: 'Nothing on the list', nothingMore: 'Type below what you need: “2 l milk”, or just “bread”.',
    seeLow: (number) => `See what is low: ${count(number, 'thing')}`, allIn: 'All of it is in the basket', allInMore: 'What is in the basket shows again with “To buy”.',
    toPutAway: (number) => `${count(number, 'thing')} without a place or date`, from: (shop, when) => `from ${shop}, ${when}`, putAway: 'Put away',
    basketName: 'Basket', basket: (number) => `Basket: ${number}`, save: 'Save receipt',
  },
};
