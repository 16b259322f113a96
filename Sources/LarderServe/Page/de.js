// Was die Seite auf Deutsch sagt. Die Abschnitte und ihre Namen sind die von en.js.

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
const distance = (number, short, one, many) => ({ short: `+${number} ${short}`, long: count(number, one, many) });

export const de = {
  code: 'de',
  units: {
    piece: ['Stück', 'Stück'], pack: ['Packung', 'Packungen'], bag: ['Tüte', 'Tüten'], bar: ['Tafel', 'Tafeln'], bottle: ['Flasche', 'Flaschen'],
    box: ['Schachtel', 'Schachteln'], bunch: ['Bund', 'Bund'], can: ['Dose', 'Dosen'], carton: ['Karton', 'Kartons'], case: ['Kiste', 'Kisten'],
    crate: ['Kasten', 'Kästen'], cup: ['Becher', 'Becher'], dose: ['Dosis', 'Dosen'], glass: ['Glas', 'Gläser'], head: ['Kopf', 'Köpfe'],
    jar: ['Glas', 'Gläser'], loaf: ['Laib', 'Laibe'], net: ['Netz', 'Netze'], pair: ['Paar', 'Paar'], portion: ['Portion', 'Portionen'],
    pot: ['Topf', 'Töpfe'], pouch: ['Beutel', 'Beutel'], punnet: ['Schale', 'Schalen'], roll: ['Rolle', 'Rollen'], sachet: ['Päckchen', 'Päckchen'],
    sheet: ['Blatt', 'Blatt'], slice: ['Scheibe', 'Scheiben'], stick: ['Stange', 'Stangen'], tablet: ['Tablette', 'Tabletten'], tin: ['Dose', 'Dosen'],
    tray: ['Schale', 'Schalen'], tub: ['Becher', 'Becher'], tube: ['Tube', 'Tuben'],
  },
  days: {
    today: 'heute', about: 'etwa ', near: { '-1': 'gestern', 0: 'heute', 1: 'morgen' },
    ago: (days) => `vor ${days} Tagen`, ahead: (days) => `in ${days} Tagen`,
  },
  pick: {
    days: (number) => distance(number, 'T', 'Tag', 'Tage'), weeks: (number) => distance(number, 'W', 'Woche', 'Wochen'), months: (number) => distance(number, 'M', 'Monat', 'Monate'),
    otherDay: 'anderes Datum', noDate: 'Kein Datum', otherPlace: 'Anderer',
    past: (days) => `Das ist ${days === -1 ? 'gestern' : `vor ${-days} Tagen`}: Es wird unter „Abgelaufen“ stehen.`,
  },
  fields: {
    less: 'Weniger', more: 'Mehr', close: 'Schließen', noPlace: 'kein Platz', howMuch: 'Wie viel?',
    noAmount: (text) => `„${text}“ ist keine Menge: 2, 750 g, ½ l`,
    noNumber: (text) => `„${text}“ ist keine Zahl.`,
  },
  frame: {
    list: 'Liste', stock: 'Vorrat', due: 'Fällig', receipts: 'Bons', more: 'Mehr', screens: 'Bildschirme',
    needYou: ' brauchen dich', areDue: ' sind fällig', reading: 'Der Haushalt wird gelesen …', undo: 'Zurück', undoOf: (words) => `Zurücknehmen: ${words}`,
    waiting: (number) => count(number, 'wartet', 'warten'), isOld: 'Diese Seite ist älter als das Programm des Haushalts. ', reload: 'Neu laden',
    isOffline: 'Nur offline', silentSince: (time) => `Keine Verbindung seit ${time}`, silent: 'Keine Verbindung',
    notSynced: (time, why) => `${time ? `Nicht abgeglichen seit ${time}` : 'Nie abgeglichen'}: ${why}`,
    takenBack: (words) => `Zurückgenommen: ${words}`, nothingChanged: (why) => `Nichts ist geändert. ${why}`,
    isPrivate: 'Dieser Browser behält nichts für diese Seite; was du tippst, ginge verloren. Öffne sie in einem Fenster, das nicht privat ist, oder erlaube ihr, Daten zu behalten.',
    isFull: 'Dieses Telefon kann nicht behalten, was du tippst: Es scheint kein Platz mehr zu sein. Lösche etwas, das du nicht brauchst.',
    unread: (why) => `Was kam, war nicht zu lesen: ${why}`, answered: (status) => `Der Server antwortete ${status}.`,
  },
  done: {
    use: (what) => `Verbraucht: ${what}`, put: (what) => `Eingeräumt: ${what}`, spoil: (what) => `Weggeworfen: ${what}`, count: (what) => `Gezählt: ${what}`,
    move: (what, place) => `Umgelagert: ${what}, ${place}`, open: (what) => `Geöffnet: ${what}`,
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
