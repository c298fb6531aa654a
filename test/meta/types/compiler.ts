import path from 'node:path';
import ts from 'typescript';

/*
 * Compiles snippets as if they were in a folder of the sources, with the settings of the project, and returns the errors.
 */

const root = path.resolve(import.meta.dirname, '../../..');

/** The errors of each snippet, by name. All snippets are compiled together at the first call, which is slow. */
export function complaintsAbout(
  folder: string,
  snippets: Readonly<Record<string, string>>,
): (name: string) => string[] {
  const names = Object.keys(snippets);
  const fileOf = (name: string): string => path.join(root, folder, `snippet_${names.indexOf(name)}.ts`);
  const texts = new Map(names.map((name) => [fileOf(name), snippets[name]!]));
  let program: ts.Program | undefined;
  return (name) => {
    program ??= programOf(texts);
    const source = program.getSourceFile(fileOf(name))!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  };
}

/** One program with all snippets, so that shared code is checked once. */
function programOf(texts: ReadonlyMap<string, string>): ts.Program {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  return ts.createProgram([...texts.keys()], { ...options, noUnusedLocals: false, noUnusedParameters: false }, host);
}
