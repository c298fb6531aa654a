import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An image that the service has at hand. */
export const demoImage = (): Buffer => readFileSync(path.resolve(import.meta.dirname, '../files/images/avatar.png'));
