export { createPopulation, type MovableTime, type Population, type PopulationOptions } from './create-population.ts';
export type { HistoryOptions } from './history.ts';
export { type Life, type LifeOptions, startLife } from './life.ts';
export { type PopulateOptions, populate, type Settlement } from './populate.ts';
