import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  readonly from: string;
  readonly to: string[];
  readonly text: string;
}

/** A real SMTP server on this machine, and what it has received. */
export async function openSmtpServer({ refuses = false } = {}): Promise<{
  port: number;
  received: Received[];
  server: SMTPServer;
}> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, next) => next(refuses ? new Error('Not today') : null),
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          text: plain(Buffer.concat(pieces).toString()),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.server.address() as AddressInfo).port, received, server };
}

/** Undoes the line breaks that mail adds to long lines. */
const plain = (mail: string): string => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
