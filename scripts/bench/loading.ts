import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  /** One server, or several that share the connections. */
  readonly urls: readonly string[];
  /** What each connection sends, over and over. */
  readonly lanes: readonly (readonly Sent[])[];
  /** How many requests each connection sends. */
  readonly perLane: number;
}

export interface Outcome {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  readonly seconds: number;
}

export interface LoadGenerator {
  /** Responses per second. An unexpected response ends the benchmark, because it would count as work. */
  answersPerSecond(load: Load): Promise<number>;
  stop(): void;
}

/** Starts the process that sends requests. */
export function startLoadGenerator(): LoadGenerator {
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, 'load_generator.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async answersPerSecond(load) {
      child.stdin.write(JSON.stringify(load) + '\n');
      const { value, done } = await lines.next();
      if (done) throw new Error('The load generator has ended.');
      const { answered, refused, failed, seconds } = JSON.parse(value as string) as Outcome;
      if (refused + failed === 0 && answered > 0) return answered / seconds;
      throw new Error(
        `${refused} answers were refusals and ${failed} did not come, beside ${answered} as expected, at ${load.lanes[0]![0]!.path}.`,
      );
    },
    stop: () => child.stdin.end(),
  };
}
