// Signs and verifies webhook headers with @noble/post-quantum. All files are in the current directory.
//   node script.mjs sign <algorithm> <kid> <t> <id>   reads body; writes public.pem and header
//   node script.mjs verify                            reads public.pem, header and body; prints true or false
import { readFileSync, writeFileSync } from 'node:fs';
import { ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import { slh_dsa_shake_256f } from '@noble/post-quantum/slh-dsa.js';

// The last two numbers of the object identifier, below 2.16.840.1.101.3.4.
const algorithms = {
  'ml-dsa-65': { scheme: ml_dsa65, oid: [3, 18] },
  'ml-dsa-87': { scheme: ml_dsa87, oid: [3, 19] },
  'slh-dsa-shake-256f': { scheme: slh_dsa_shake_256f, oid: [3, 31] },
};

const der = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  const n = content.length;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

const subjectPublicKeyInfo = (oid, key) =>
  der(
    0x30,
    der(0x30, der(0x06, Buffer.from([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, ...oid]))),
    der(0x03, Buffer.from([0]), key),
  );

const pem = (bytes) =>
  `-----BEGIN PUBLIC KEY-----\n${bytes.toString('base64').match(/.{1,64}/g).join('\n')}\n-----END PUBLIC KEY-----\n`;

const signedBytes = (kid, t, id, body) => Buffer.concat([Buffer.from(`pqc-pem.${kid}.${t}.${id}.`), body]);

const sign = (algorithm, kid, t, id) => {
  const { scheme, oid } = algorithms[algorithm];
  const { publicKey, secretKey } = scheme.keygen();
  const signature = scheme.sign(signedBytes(kid, t, id, readFileSync('body')), secretKey);
  writeFileSync('public.pem', pem(subjectPublicKeyInfo(oid, Buffer.from(publicKey))));
  writeFileSync('header', `t=${t},id=${id},${kid}=${Buffer.from(signature).toString('base64url')}`);
};

const verify = () => {
  const info = Buffer.from(readFileSync('public.pem', 'latin1').replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const { scheme, key } = Object.values(algorithms)
    .map(({ scheme, oid }) => ({ scheme, oid, key: info.subarray(-scheme.lengths.publicKey) }))
    .find(({ oid, key }) => subjectPublicKeyInfo(oid, key).equals(info));
  const [[, t], [, id], [kid, signature]] = readFileSync('header', 'latin1').split(',').map((part) => part.split('='));
  console.log(scheme.verify(Buffer.from(signature, 'base64url'), signedBytes(kid, t, id, readFileSync('body')), key));
};

const [operation, ...operands] = process.argv.slice(2);
({ sign, verify })[operation](...operands);
