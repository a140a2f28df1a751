// The health check of the image: exits with 0 if the server of this container is ready. The server writes its address
// into the data folder.
import { readFileSync } from 'node:fs';

const { url } = JSON.parse(readFileSync(`${process.env.SEALPOST_DATA_DIR}/server.json`, 'utf8'));
const { status } = await fetch(`${url}/readyz`);
process.exitCode = status === 200 ? 0 : 1;
