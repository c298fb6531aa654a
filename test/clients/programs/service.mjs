import { request } from 'node:http';

/**
 * A function that calls a service with a token. It sends JSON in the body of any method, GET too, without naming its type, and
 * resolves to the status and the body.
 */
export const callerOf = (service, token) => (method, path, body) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Length': Buffer.byteLength(text) };
    const sent = request(`${service}/public_api/v1/${path}`, { method, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (piece) => (answer += piece));
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(answer) }));
    });
    sent.on('error', reject).end(text);
  });
