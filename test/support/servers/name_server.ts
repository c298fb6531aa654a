import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { onTestFinished } from 'vitest';

const types = { ipv4: 1, ipv6: 28 } as const;

/** A DNS server on loopback. It knows the addresses of some names, stays silent about `silent…`, and denies all others. */
export async function startNameServer(addresses: Readonly<Record<string, readonly string[]>> = {}) {
  const socket = createSocket('udp4');
  /** The names that it was asked for, each once. */
  const asked = new Set<string>();
  socket.on('message', (question, { port, address }) => {
    const { name, end } = nameIn(question);
    asked.add(name);
    if (name.startsWith('silent')) return;
    const known = addresses[name];
    const wanted = (known ?? [])
      .map((text) => ipaddr.parse(text))
      .filter((parsed) => types[parsed.kind()] === question.readUInt16BE(end));
    const head = Buffer.from(question.subarray(0, end + 4));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    [1, wanted.length, 0, 0].forEach((count, index) => head.writeUInt16BE(count, 4 + index * 2));
    socket.send(Buffer.concat([head, ...wanted.map(record)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { at: `127.0.0.1:${socket.address().port}`, asked };
}

/** The name of a question, and where it ends. */
function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function record(address: ipaddr.IPv4 | ipaddr.IPv6): Buffer {
  const bytes = address.toByteArray();
  const head = Buffer.from([0xc0, 0x0c, 0, types[address.kind()], 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, Buffer.from(bytes)]);
}
