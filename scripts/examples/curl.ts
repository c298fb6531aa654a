import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { sampledOf } from '../docs/publish.ts';
import { curlSample } from '../docs/samples.ts';
import { readContract } from '../../src/platform/http/contract_document.ts';
import type { Send } from './send.ts';
import { documented, filesIn } from './recorder.ts';

const contracts = { v3: readContract('v3'), public: readContract('public') };

/** Sends requests the way the samples of the reference do, in a real shell. The files they send lie in the folder. */
export const sendByCurl =
  (folder: string): Send =>
  async ({ url, route, token, ...request }) => {
    for (const { name, bytes } of filesIn(request.form)) writeFileSync(path.join(folder, name), bytes);
    const { api, method, path: address, operation } = route;
    const sample = curlSample(
      sampledOf(api, contracts[api], method, address, operation, { request: documented(request) }),
      url,
    );
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', `${sample} --silent --show-error --write-out '\\n%{http_code}'`],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...(token ? { TOKEN: token } : {}) },
      },
    );
    const [, text = '', status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
    return { status: Number(status), body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
