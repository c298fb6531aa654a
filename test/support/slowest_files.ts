import type { Reporter, TestModule } from 'vitest/node';

/** Prints the files that took longest, after the others have printed the time of each. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map((file) => [file.diagnostic().duration, file.relativeModuleId] as const);
    const slowest = times.toSorted(([one], [other]) => other - one).slice(0, 20);
    if (modules.length < 20) return;
    console.log('\nThe slowest files, in seconds:');
    for (const [time, name] of slowest) console.log(`${(time / 1000).toFixed(1).padStart(7)}  ${name}`);
  }
}
