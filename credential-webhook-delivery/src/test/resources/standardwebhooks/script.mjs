// Receives webhooks on loopback and verifies them as a customer would: v1 with standardwebhooks, and v1a, which that
// library lacks, as its specification says. Prints its port, and ends when its standard input does.
//   PUT /   takes the key, whsec_… or whpk_…
//   POST /  answers 200 with the payload that was read, or 401 with the reason
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const TOLERANCE_SECONDS = 300;

let key;

const verifyEd25519 = (body, headers) => {
  const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError('The timestamp is too old or too new');
  }
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${timestamp}.`), body]);
  const matches = headers['webhook-signature']
    .split(' ')
    .map((signature) => signature.split(','))
    .some(([version, base64]) => version === 'v1a' && verify(null, signed, publicKey, Buffer.from(base64, 'base64')));
  if (!matches) {
    throw new WebhookVerificationError('No matching signature found');
  }
  return JSON.parse(body);
};

const answer = (method, headers, body) => {
  if (method === 'PUT') {
    key = body.toString();
    return [204];
  }
  try {
    const payload = key.startsWith('whpk_') ? verifyEd25519(body, headers) : new Webhook(key).verify(body, headers);
    return [200, JSON.stringify(payload)];
  } catch (error) {
    return [error instanceof WebhookVerificationError ? 401 : 500, String(error)];
  }
};

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const [status, text] = answer(request.method, request.headers, Buffer.concat(chunks));
  response.writeHead(status).end(text);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
process.stdin.on('end', () => process.exit()).resume();
