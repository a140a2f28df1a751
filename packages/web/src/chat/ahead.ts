// Runs beside the main script, and is much smaller: it asks for the words that the main script needs when it has come.
import { catalogs, chosenLanguage } from '../words/catalogs.ts';

// Whoever uses them hears of a failure.
for (const load of catalogs[chosenLanguage()]) load().catch(() => undefined);
