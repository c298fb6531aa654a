import { readFileSync } from 'node:fs';
import { ownFile } from '../../platform/core/own_files.ts';

/** A PNG image that comes with the service. */
export const demoImage = (): Buffer => readFileSync(ownFile('src/platform/files/images/avatar.png'));
