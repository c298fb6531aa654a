import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A PNG image that comes with the service. */
export const demoImage = (): Buffer => readFileSync(path.resolve(import.meta.dirname, '../files/images/avatar.png'));
