import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import nodemailer from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** Where mails go, as the log names it. */
  readonly place: string;
  close(): void;
}

/** Sends mails to the SMTP server, or writes them to a folder as `.eml` files where none is configured. */
export function openMailer(config: { smtpUrl: string | undefined; mailFrom: string; dataDir: string }): Mailer {
  if (config.smtpUrl) {
    const transport = nodemailer.createTransport(config.smtpUrl, { from: config.mailFrom });
    return {
      send: async (mail) => void (await transport.sendMail(mail)),
      place: `SMTP server ${new URL(config.smtpUrl).host}`,
      close: () => transport.close(),
    };
  }
  const folder = path.join(config.dataDir, 'mail');
  const transport = nodemailer.createTransport(
    { streamTransport: true, buffer: true, newline: 'unix' },
    { from: config.mailFrom },
  );
  return {
    async send(mail) {
      const { message } = await transport.sendMail(mail);
      await mkdir(folder, { recursive: true });
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
      // Renamed into the folder once it is complete, so that nobody reads half a mail.
      const draft = path.join(path.dirname(folder), `${name}.draft`);
      await writeFile(draft, message as Buffer);
      await rename(draft, path.join(folder, name));
    },
    place: `the folder ${folder}`,
    close: () => transport.close(),
  };
}
