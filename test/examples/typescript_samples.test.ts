import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { publishedContract } from '../../scripts/docs/publish.ts';
import { withDemoDates } from '../../src/programs/docs/sample_dates.ts';
import { operationsOf } from '../../src/platform/http/contract_document.ts';

/*
 * The samples are for people who copy them: each is a module that compiles under the strictest settings of this project, against
 * the typed client as a package.
 */

const root = path.resolve(import.meta.dirname, '../..');
const samples = (['v3', 'public'] as const).flatMap((api) =>
  operationsOf(publishedContract(api)).map(({ operation }) => {
    const shown = (operation as { 'x-codeSamples'?: { label: string; source: string }[] })['x-codeSamples'];
    return {
      name: path.join(root, 'test/examples', `${operation.operationId}.sample.ts`),
      text: withDemoDates(shown?.find(({ label }) => label === 'TypeScript')?.source ?? ''),
    };
  }),
);

/** What the compiler says about files that exist only here. */
function complaints(files: readonly { name: string; text: string }[]): string[] {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  // A sample need not use the response.
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...rest) =>
    texts.has(name) ? ts.createSourceFile(name, texts.get(name)!, rest[0]) : getSourceFile(name, ...rest);
  const program = ts.createProgram([...texts.keys()], { ...options, noUnusedLocals: false }, host);
  return files
    .flatMap(({ name }) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name)))
    .map(
      (found) =>
        `${path.basename(found.file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`,
    );
}

it('every TypeScript sample compiles', () => {
  expect(samples.filter(({ text }) => text === '')).toEqual([]);
  expect(complaints(samples)).toEqual([]);
});

it('a sample with a wrong path, parameter or body would not', () => {
  const { text } = samples.find(({ name }) => name.endsWith('/createArea.sample.ts'))!;
  const wrong = [
    text.replace("'/workspaces/{workspace_id}/areas'", "'/areas'"),
    text.replace('workspace_id:', 'workspace:'),
    text.replace("'Bar'", '7'),
  ];
  const files = wrong.map((one, index) => ({
    name: path.join(root, `test/examples/wrong${index}.sample.ts`),
    text: one,
  }));
  const refused = new Set(complaints(files).map((complaint) => complaint.split(':')[0]));
  expect([...refused]).toEqual(['wrong0.sample.ts', 'wrong1.sample.ts', 'wrong2.sample.ts']);
});
