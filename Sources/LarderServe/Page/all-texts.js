// The texts of the screens beside the list, and of the sheets: they come with the first of these.

import { t } from './texts.js';

const tables = { en: () => import('./en-screens.js'), de: () => import('./de-screens.js') };
Object.assign(t, (await tables[t.code]()).screens);

export { t } from './texts.js';
