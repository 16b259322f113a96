// Was die Seite auf Deutsch sagt. Die Abschnitte und ihre Namen sind die von en.js.

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
/** Places as they are said; another name stands as it is. */

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
  fields: {
    less: 'Weniger', more: 'Mehr', close: 'Schließen', noPlace: 'kein Platz', howMuch: 'Wie viel?',
    noAmount: (text) => `„${text}“ ist keine Menge: 2, 750 g, ½ l`,
    noNumber: (text) => `„${text}“ ist keine Zahl.`,
  },
  frame: {
    title: 'Larder',
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
    got: (name) => `${name}: im Korb`, ungot: (name) => `${name}: nicht mehr im Korb`, drop: (name) => `${name}: von der Liste`,
    want: (what) => `${what}: auf der Liste`, wantAll: (number) => `Auf der Liste: ${count(number, 'Sache', 'Sachen')}`,
    renamed: (old) => (name) => `${old} heißt jetzt ${name}`, note: (name) => (text) => `${name}: ${text || 'keine Notiz'}`,
    unarchive: (name) => `Zurückgeholt: ${name}`, restore: (what) => `Zurück auf der Liste: ${what}`, unvoid: (what) => `Bon zurückgeholt: ${what}`, settings: 'Geändert: Einstellungen des Haushalts',
    place: (name) => `Neuer Platz: ${name}`, placeChanged: (name) => `Geändert: ${name}`, unplace: (name) => `Entfernt: ${name}`,
  },
  refused: {
    short: (much) => `Es sind nur ${much} da.`, noneThere: 'Es ist nichts mehr da.', taken: (name) => `${name} gibt es schon.`,
    takenArchived: (name) => `${name} gibt es schon, archiviert.`, gone: 'Worum es ging, ist nicht mehr da.', saved: (by, time) => `${by || 'Jemand'} hat diesen Korb gespeichert, ${time}.`,
  },
  list: {
    scan: 'Strichcode lesen', add: 'Auf die Liste', addHint: 'Neu: 2 l Milch, Eier 12', suggestions: 'Vorschläge', quoted: (text) => `„${text}“`,
    asTyped: 'wie getippt: Enter setzt es auf die Liste', isNew: 'neu: Im Vorrat heißt nichts so', isUnclear: 'schreib 1,5 oder 1500: Es kann beides sein',
    alsoCalled: 'auch ', atHome: (much) => `${much} zu Hause`, isInBasket: (much) => `im Korb: ${much}`,
    onList: (much, all) => `auf der Liste: ${much}${all ? ` → ${all}` : ''}`, whatOf: (much) => `${much} wovon?`,
    often: 'Das kaufst du etwa jetzt', low: 'Knapp oder leer', allLow: (number) => `Alle ${number}, die knapp sind`, isOn: 'auf der Liste',
    pasted: (number) => `${count(number, 'Zeile', 'Zeilen')} eingefügt`, things: (number) => count(number, 'Sache', 'Sachen'),
    isHeading: 'sieht wie eine Überschrift aus und bleibt weg', putOn: (name) => `${name}: auf die Liste`, putLines: (number) => `${number} auf die Liste`,
    order: 'Ordnung der Liste', sorts: { category: 'Nach Kategorie', name: 'A–Z', added: 'Wie notiert' }, toBuy: (number) => `Offen ${number}`,
    search: 'Liste durchsuchen', searchEnd: 'Suche beenden', notFound: (words) => `Nichts auf der Liste heißt „${words}“`,
    notFoundMore: 'Auch Notizen und andere Namen haben es nicht.', wantFound: (words) => `„${words}“ auf die Liste`,
    other: 'Sonstiges', inBasket: 'Im Korb', change: (name) => `${name}: ändern, `, howMuchOf: (name) => `${name}: wie viel`, waits: 'noch nicht gesendet, ',
    refused: (why) => `abgelehnt: ${why}`, nothing: 'Nichts auf der Liste', nothingMore: 'Tippe unten, was du brauchst: „2 l Milch“ oder nur „Brot“.',
    seeLow: (number) => `${count(number, 'Sache ist', 'Sachen sind')} knapp: ansehen`, allIn: 'Alles ist im Korb', allInMore: 'Mit „Offen“ zeigt sich wieder, was im Korb ist.',
    toPutAway: (number) => `${count(number, 'Sache', 'Sachen')} ohne Platz oder Datum`, from: (shop, when) => `von ${shop}, ${when}`, putAway: 'Einräumen',
    basketName: 'Korb', basket: (number) => `Korb: ${number}`, save: 'Bon speichern',
  },
};
