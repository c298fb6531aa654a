/** The members that pino and the frame write into every line of the log. */
interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly req?: { readonly method: string; readonly url: string };
  readonly res?: { readonly status: number };
  readonly responseTime?: number;
}

const nameOf = (level: number): string => (level >= 50 ? 'ERROR ' : level >= 40 ? 'WARNING ' : '');

/** A line of the log for people at a terminal: the time, what happened, and the trace of an error. */
export function plainLine(json: string): string {
  const { level, time, msg = '', err, req, res, responseTime } = JSON.parse(json) as LogLine;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const text = req ? `${req.method} ${req.url} ${res?.status ?? ''} in ${responseTime ?? '?'} ms` : msg;
  const trace = err ? `\n${err.stack ?? err.message ?? ''}` : '';
  // A refused request is nothing to warn the person about who has sent it.
  return `${clock} ${req && level < 50 ? '' : nameOf(level)}${text}${trace}\n`;
}
