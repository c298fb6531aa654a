import type { Example } from '../docs/examples.ts';
import { changes } from './scenarios/changes.ts';
import { enterprise } from './scenarios/enterprise.ts';
import { invitations } from './scenarios/invitations.ts';
import { signingIn } from './scenarios/signing_in.ts';
import { organisation, people } from './scenarios/organisation.ts';
import { absences } from './scenarios/absences.ts';
import { personalData } from './scenarios/personal_data.ts';
import { roster } from './scenarios/roster.ts';
import { shifts } from './scenarios/shifts.ts';
import { timeAccount } from './scenarios/time_account.ts';
import { vacation } from './scenarios/vacation.ts';
import { webhookMessages } from './scenarios/webhook_messages.ts';
import { punching, workingTime } from './scenarios/working_time.ts';
import { workingTimeRules } from './scenarios/working_time_rules.ts';
import { sendByFetch, type Send } from './send.ts';
import { createRecorder, messageIds, routes, type RecordedCall, type Recorder } from './recorder.ts';
import { openDemoServer } from './demo_server.ts';
import { examplesOf, withPlaceholders } from './placeholders.ts';

/** The result of a run. */
export interface Recording {
  readonly calls: readonly RecordedCall[];
  /** The same calls as examples, with placeholders for random values. */
  readonly examples: ReadonlyMap<string, Example & Pick<RecordedCall, 'api'>>;
  /** The answer of a server that is stopping. */
  readonly unavailable: unknown;
}

const scenarios = [
  signingIn,
  organisation,
  people,
  punching,
  workingTime,
  absences,
  timeAccount,
  shifts,
  vacation,
  workingTimeRules,
  enterprise,
  roster,
  invitations,
  changes,
  webhookMessages,
  personalData,
];

/** Scenarios with secrets that the service sends by mail, which no later call can know otherwise. */
const chained: readonly ((recorder: Recorder) => Promise<void>)[] = [signingIn, invitations, webhookMessages];

/** Calls every operation of both contracts on a fresh demo organisation, and receives every message to webhooks. */
export async function recordExamples(send?: Send): Promise<Recording> {
  const server = await openDemoServer();
  try {
    const recorder = await createRecorder(server, send);
    for (const scenario of scenarios) {
      try {
        await (chained.includes(scenario) ? recorder.together(() => scenario(recorder)) : scenario(recorder));
      } catch (error) {
        // A failed call is the usual reason, and is reported below.
        if (recorder.problems.length === 0) throw error;
      }
    }
    if (recorder.problems.length > 0) throw new Error(recorder.problems.join('\n'));
    const recorded = new Set(recorder.calls.map(({ operationId }) => operationId));
    const missing = [...routes.keys(), ...messageIds].filter((operationId) => !recorded.has(operationId));
    if (missing.length > 0)
      throw new Error(`Not recorded: ${missing.join(', ')}. Add them to a scenario in scripts/examples/scenarios/.`);
    const refused = await sendByFetch({
      url: await server.startVariant({ isStopping: true }),
      route: routes.get('getStatus')!,
      path: {},
      query: {},
    });
    return { examples: examplesOf(recorder.calls), calls: recorder.calls, unavailable: withPlaceholders(refused.body) };
  } finally {
    await server.close();
  }
}
