// Loaded before a server: metrics of this process count nothing. There is no such setting, because it would save little.
import { Counter, Gauge, Histogram } from 'prom-client';

const nothing = (): void => {};
Object.assign(Counter.prototype, { inc: nothing });
Object.assign(Gauge.prototype, { inc: nothing, dec: nothing, set: nothing });
Object.assign(Histogram.prototype, { observe: nothing, startTimer: () => nothing });
