// A small script that runs before the main script. It begins to load the texts that the main script needs.
import { catalogs } from '../words/catalogs.ts';
import { chosenLanguage } from '../words/languages.ts';

// A failure is ignored here. The main script loads these texts too, and then reports the failure itself.
for (const load of catalogs[chosenLanguage()]) load().catch(() => undefined);
