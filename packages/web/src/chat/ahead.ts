// A small script that runs before the main script. It already loads the words that the main script needs when it runs.
import { catalogs } from '../words/catalogs.ts';
import { chosenLanguage } from '../words/languages.ts';

// A failure is ignored here. The main script loads these words too, and then fails itself.
for (const load of catalogs[chosenLanguage()]) load().catch(() => undefined);
