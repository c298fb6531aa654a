import { AppError } from '../../platform/core/errors.ts';
import { isDatabaseError, problemBehind } from '../../platform/db/violations.ts';

interface SystemError {
  readonly code?: string;
  readonly message: string;
  readonly port?: number;
  readonly address?: string;
  readonly syscall?: string;
  readonly errors?: readonly SystemError[];
}

/** Explains a failure to an operator at the command line: the cause, and the next step. */
export function adviceOn(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AppError) return thrown.message;
  const problem = isDatabaseError(thrown) ? problemBehind(thrown) : undefined;
  if (problem) return problem.title;
  // A connection to a host name with several addresses fails with one error per address.
  const error = (thrown as SystemError).errors?.[0] ?? (thrown as SystemError);
  const place = `${error.address ?? ''}:${error.port ?? ''}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program already listens on ${place}. Stop it, or choose another port with PORT, for example PORT=3001 npm start.`;
    case 'EACCES':
      return error.syscall === 'listen'
        ? `This user may not listen on ${place}. Choose a port from 1024 with PORT, and put a reverse proxy in front of it.`
        : `${error.message}. Give this user the right to write there, or choose another folder with DATA_DIR.`;
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
      return `Nothing answers at ${place}. Start PostgreSQL there, or correct DATABASE_URL; without DATABASE_URL the embedded database is used.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${error.message}: this host name does not exist. Correct DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `PostgreSQL refused the sign-in: ${error.message}. Correct the user and the password in DATABASE_URL.`;
    case '3D000':
      return `PostgreSQL says: ${error.message}. Create it with createdb, or correct the name in DATABASE_URL.`;
    case '42501':
      return `PostgreSQL says: ${error.message}. Give the user in DATABASE_URL the right to create tables and schemas in its database.`;
    default:
      return error.message;
  }
}
