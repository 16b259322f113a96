// What the page says in English. One noun has no verb beside it: "Eggs: in the basket" is right for any number.

const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
const distance = (number, unit) => ({ short: `+${number} ${unit[0]}`, long: count(number, unit) });

const KNOWN = /^(fridge|freezer|cupboard|pantry|cellar|kitchen cupboard)$/i;
/** " in the fridge", ": Mum’s shelf". */
const inside = (place, word = 'in the') => (!place ? '' : KNOWN.test(place) ? ` ${word} ${place.toLowerCase()}` : `: ${place}`);

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
  stock: {
    label: 'Search the stock', search: (number) => (number ? `Search ${count(number, 'item')}` : 'Search'), scan: 'Scan a barcode', make: 'New',
    low: (number) => `Low ${number}`, due: (number) => `Due ${number}`, order: 'Order', only: 'Only', archived: 'Archived',
    orders: { place: 'By place', category: 'By category', name: 'A–Z', due: 'What is due first' },
    noPlace: 'No place yet', noCategory: 'Other', levels: { low: 'low', none: 'none' }, waits: ', waits to be sent',
    use: (name, much) => `${name}: use ${much}`, put: (name, much) => `${name}: put ${much}`, noneLeft: (name) => `No ${name} left`,
    ofIt: (much) => `${much} of it`, openSince: (day) => `open since ${day}`,
    nothing: (words) => `Nothing in the stock is called “${words}”`, newCalled: (words) => `New: ${words}`, newHint: 'make it an item, with place and date',
    wantCalled: (words) => `On the list: ${words}`, wantHint: 'to buy it', archivedOn: (day) => `archived ${day}`,
    archivedCount: (number) => `Archived: ${number}`, andMore: (names, more) => names.join(', ') + (more ? ` and ${more} more` : ''),
    noneArchived: 'Nothing is archived', noSuch: 'No such item', noSuchHint: 'Nothing is all that you chose.',
    empty: 'Nothing in stock yet', emptyHint: 'What you buy comes here when its receipt is saved.', begin: 'Begin with the fridge',
  },
  item: {
    edit: 'Edit', onList: 'On the list', lies: 'Where it lies', last: 'Last changes', noPlace: 'No place yet', noDate: 'no date', noneLeft: 'none left',
    of: (much) => `of ${much}`, lasts: (days) => `lasts about ${count(days, 'day')}`, lowBelow: (much) => `low below ${much}`, quoted: (text) => `“${text}”`,
    there: (much) => `${much} is there`, only: (much) => `Only ${much} is there.`, ofOpen: ', of what was open', wanted: (name) => `${name}: on the list`,
    until: (day) => `until ${day}`, expired: (day) => `expired ${day}`, pastBest: (day) => `past its best ${day}`, openSince: (place, day) => `${place}, open since ${day}`,
    /** A place as it is said; another name stands as it is. */
    at: (name) => (name && KNOWN.test(name) ? `in the ${name.toLowerCase()}` : name),
    verbs: { use: 'Use', put: 'Put', open: 'Open', move: 'Move', date: 'Date', spoil: 'Throw away', count: 'Count' },
    use: { title: (name) => `Use: ${name}`, verb: (much) => (much ? `Use ${much}` : 'Use') },
    spoil: { title: (name) => `Throw away: ${name}`, verb: (much) => (much ? `Throw away ${much}` : 'Throw away') },
    open: { title: (name) => `Open: ${name}`, verb: () => 'Open' },
    count: { title: (name) => `Count: ${name}`, verb: () => 'Count' },
    put: { title: 'Put', all: (much, place, day) => `Put ${much || ''}${inside(place)}${day ? `, until ${day}` : ''}` },
    move: { title: 'Move', all: (much, place, day) => `Move ${much || ''}${inside(place, 'to the')}${day ? `, until ${day}` : ''}` },
    date: { title: 'Date', all: (day) => (day ? `Keeps until ${day}` : 'No date'), made: (name, day) => `${name}: ${day ? `keeps until ${day}` : 'no date'}` },
    howMuch: 'How much', howMuchOf: (name) => `${name}: how much`, why: 'Why', whyHint: 'mouldy, forgotten', tooMuch: 'That is too much to keep.',
    where: 'Where', placeOf: (name) => `${name}: place`, keeps: 'Keeps until', thenKeeps: 'Then it keeps until', keepsOf: (name) => `${name}: keeps until`,
    asLast: 'As the last time. What you choose is kept for the next time.', isKept: 'What you choose is kept for the next time.',
    whereTo: 'Where to?', isThereAlready: (place) => (KNOWN.test(place) ? `It is${inside(place)} already.` : `It is there already: ${place}`),
    newPlace: 'New place', placeName: 'What is it called?', placeNeed: 'A place needs a name.', placeThere: (name) => `${name} is there already.`,
    makePlace: 'Make the place', madePlace: (name) => `New place: ${name}`,
    newItem: 'New item', editTitle: (name) => `Edit: ${name}`, change: 'Change', archive: 'Archive', restore: 'Restore', openIt: 'Open it',
    name: 'Name', nameNeed: 'An item needs a name.', category: 'Category', unit: 'Counted in', unitNeed: 'An item is counted in something, such as “piece” or “g”.',
    now: 'In stock now', full: 'Full stock', least: 'Low below', place: 'Place', keepsDays: 'Keeps, in days', aliases: 'Also called', aliasesHint: 'oat drink, Hafermilch', note: 'Note',
    pieces: 'pieces', otherUnit: (one, other) => `${one || 'Pieces'} can’t become ${other}.`,
    isThere: (name, much) => `${name} is there: ${much}`, isArchived: (name, day) => `${name} is archived${day ? ` since ${day}` : ''}.`,
    made: (name) => `New: ${name}`, edited: (name) => `Changed: ${name}`, archived: (name) => `Archived: ${name}`, restored: (name) => `Restored: ${name}`,
    you: 'You', somebody: 'Somebody', who: (who, did) => `${who} ${did}`,
    /** What somebody did, after the name: `(amount, place, item)`. */
    changed: {
      use: (much) => `used ${much}`, put: (much, place) => `put ${much}${place ? ` ${place}` : ''}`, spoil: (much) => `threw away ${much}`, count: (much) => `counted ${much}`,
      move: (much, place) => `moved ${much}${place ? `, now ${place}` : ''}`, open: (much) => `opened ${much}`, date: () => 'changed the date', edit: (much, place, name) => `edited ${name}`,
      byHand: (much, place, name) => `edited ${name} by hand`, new: () => 'made it an item', archive: () => 'archived it', unarchive: () => 'restored it',
      bought: (much) => `bought ${much}`, want: (much) => (much ? `put ${much} on the list` : 'put it on the list'),
    },
  },
  due: {},
  away: {},
  receipts: {},
  save: {},
  more: {},
  pair: {},
  first: {},
  back: {},
  settings: {},
  scan: {
    title: 'Scan', hold: 'Hold the bars into the frame', inHand: 'For what you hold in your hand', number: 'Number', typeInstead: 'Type the number instead', camera: 'The camera’s picture',
    cannot: 'This browser can’t read bars with the camera. The number under them does the same.', field: 'Number under the bars',
    wrong: (digit) => `One digit is wrong: it ends in ${digit}`, noNumber: 'It has 8, 12, 13 or 14 digits.',
    unknown: (number) => `Nobody has said yet what ${number} is.`, once: 'Say it once; every phone of the household knows it then.',
    ours: 'It is one of ours …', oursHint: 'choose the item; how much is in it, is asked next', newHint: 'name, place and date',
    which: 'Which one is it?', search: 'Search', inPack: (name) => `One pack of ${name}`, inside: 'How much is in it', keep: 'Keep it',
    is: (number, name) => `${number}: ${name}`, just: 'Scanned just now', there: (much) => `${much} there`,
  },
};
