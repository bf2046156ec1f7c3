import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenScanner } from '../text/tokens.js'
import { type SensitiveKind, findSensitive, findSensitiveResult } from './sensitive.js'

const scan = createTokenScanner()
const find = (text: string) => findSensitive(text, scan(text))

/** Random letters and digits; no real secrets. */
const DRAWN = 'q7Zp2LxVb9RtKc4WmN8sYh3JdF6gUa1EoTi5Bw0Xr'
const HEX = '3f9a1c7e5b2d8046af13c95e7d20b864'
/** Written in parts, so that secret scanners do not report this file. */
const joined = (...parts: string[]) => parts.join('')

const FOUND: readonly [kind: SensitiveKind, text: string][] = [
  ['token', joined('AK', 'IA', 'Q3ZP7LXVB9RTKC4W')],
  ['token', joined('export GH=gh', 'p_', DRAWN.slice(0, 36))],
  ['token', joined('gl', 'pat-', DRAWN.slice(0, 20))],
  ['token', joined('sk', '-', DRAWN, DRAWN.slice(0, 7))],
  ['token', joined('sk', '-ant-api03-', DRAWN, '-', DRAWN, 'AA')],
  ['token', joined('"sk_', 'live_', DRAWN.slice(0, 24), '"')],
  ['token', joined('AI', 'za', DRAWN.slice(0, 35))],
  ['token', joined('xo', 'xb-123456789012-', DRAWN.slice(0, 24))],
  ['token', joined('S', 'G.', DRAWN.slice(0, 22), '.', DRAWN, 'ab')],
  ['token', joined('np', 'm_', DRAWN.slice(0, 36))],
  ['token', joined('h', 'f_', DRAWN.slice(0, 34))],
  ['token', joined('dop_', 'v1_', HEX, HEX)],
  ['token', joined('Bearer ey', 'JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.', DRAWN)],
  ['private', '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA'],
  ['private', '-----BEGIN PRIVATE KEY-----'],
  ['private', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['private', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
  ['login', 'postgres://harbour:s3cretTide@db.internal:5432/dues'],
  ['hash', joined('root:$6$', 'saltsalt$', DRAWN, DRAWN, ':19000:0')],
  ['hash', joined('$2b$12$', DRAWN, DRAWN.slice(0, 12))],
  ['assigned', 'password: Tr0ubadour'],
  ['assigned', '{"db_password":"tide7harbour"}'],
  ['assigned', 'Passwort: Sommer-Regen-88'],
  ['assigned', 'mot de passe : soleil-77'],
  ['assigned', 'contraseña=luna7clara'],
  ['assigned', 'пароль: zima2024les'],
  ['login', 'Authorization: Basic YWRtaW46czNjcjN0'],
  ['assigned', "'password' => 'abcd efgh ijkl mnop'"],
  ['assigned', `API_KEY=${DRAWN.slice(0, 32)}`],
  ['assigned', `aws_secret_access_key = ${DRAWN.slice(0, 40)}`],
  ['assigned', `{"accessToken": "${DRAWN.slice(0, 30)}"}`],
  ['email', 'Write to Ann <ann.smith+dues@mail.example.org>.'],
  ['email', 'mailto:a@b.co'],
  ['phone', 'call +44 20 7946 0958 now'],
  ['phone', '+1 (212) 555-0142'],
  ['phone', '+4930123456789'],
  ['phone', '212-555-0142'],
  ['phone', '(212) 555-0142'],
  ['card', '4111 1111 1111 1111'],
  ['card', '4111-1111-1111-1111'],
  ['card', '5555555555554444'],
  ['card', '3782 822463 10005'],
  ['iban', 'GB29NWBK60161331926819'],
  ['iban', 'DE89 3704 0044 0532 0130 00 is ours'],
  ['national', 'SSN 123-45-6789'],
  ['national', 'passport 533401372 of Ann Moor'],
  ['national', 'AB123456C'],
  ['national', '12345678Z'],
  ['national', 'X1234567L'],
  ['national', 'RSSMRA85T10A562S'],
  ['national', '255081416802538'],
  ['national', '2 55 08 14 168 025 38'],
  ['national', '86095742719'],
]

test('finds secrets and personal data, each as its kind', () => {
  for (const [kind, text] of FOUND) assert.deepEqual(find(text).counts, { [kind]: 1 }, text)
})

const HARMLESS = [
  'The harbour dues of 2,340.50 EUR are due on 2026-05-01 at 12:30:00.',
  `commit ${HEX}${HEX.slice(0, 8)}`,
  '550e8400-e29b-41d4-a716-446655440000',
  joined('gh', 'p_', 'x'.repeat(36)),
  joined('sk', '-', 'your-key-goes-here-and-is-long-enough'),
  joined('AK', 'IA', 'EXAMPLE'),
  'sk-learn-contrib-packages-and-more-of-them',
  '-----BEGIN PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----',
  'BEGIN the PRIVATE meeting, KEY people only',
  'https://x.example/@name/post?mail=none',
  'https://name@host.example/',
  'password: <your password 1>',
  'password: ${DB_PASSWORD1}',
  'password: your_password1',
  'The password is required. Password: string',
  `"next_page_token": "${DRAWN}"`,
  'max_tokens: 1024, token: 12',
  'user_password = RC4_decrypt(key, 1)',
  `data-requesttoken="${DRAWN}"`,
  'costs $5 or $100',
  'git@github.example:harbour/dues.git',
  '@name and user@host',
  '1234 5678 9012 3456',
  '4111 1111 1111 1112',
  '1700000000000 1700000000000000',
  'GB29NWBK60161331926818',
  'GB29 of 2024',
  '000-12-3456 and 123-00-4567',
  '12345678A',
  'BG123456C',
  '255081416802539',
  '86095742718',
  '192.168.100.200 and 10.0.0.1',
  '1 2 3 4 5 6 7 8 9 10',
  'version 1.2.3-4567',
  '1+1 +5 +12 34',
  '\u0000\ud800\udfff',
  '',
]

test('does not report similar harmless text', () => {
  for (const text of HARMLESS) assert.deepEqual(find(text).counts, {}, text)
})

test('findings give confidentiality and counts, but no value', () => {
  assert.deepEqual(find('nothing here'), { tags: [], counts: {}, signals: {} })
  assert.deepEqual(find('a@b.example'), {
    tags: ['pii'],
    counts: { email: 1 },
    signals: { personal: 1 / Math.log2(65) },
  })
  const text = `card 4111111111111111, iban GB29NWBK60161331926819, a@b.example, password: Tr0ubadour`
  const { confidentiality, tags, signals, counts } = find(text)
  assert.equal(confidentiality, 'credentials')
  assert.equal(find('4111111111111111').confidentiality, 'sensitive')
  assert.deepEqual(tags, ['secret', 'pii', 'financial'])
  assert.deepEqual(counts, { card: 1, iban: 1, email: 1, assigned: 1 })
  assert.equal(signals['personal'], Math.log2(4) / Math.log2(65))
  assert.equal(find('a@b.example '.repeat(500)).signals['personal'], 1)
})

const confidentialityOf = (text: string) => findSensitiveResult(text, scan(text)).confidentiality

test('every word of the markings marks a text', () => {
  const words =
    'Confidential|STRICTLY CONFIDENTIAL|Top secret|Company Secret|TRADE SECRET|Streng vertraulich|STRENG GEHEIM|Streng geheim|' +
    'STRENG VERTRAULICH|Vertraulich|VERTRAULICH|Confidentiel|CONFIDENTIEL|Confidencial|CONFIDENCIAL|Riservato|RISERVATO|Vertrouwelijk|' +
    'VERTROUWELIJK|Poufne|POUFNE|Конфиденциально|КОНФИДЕНЦИАЛЬНО|機密|机密|社外秘|Do not share this outside|do not forward externally'
  for (const word of words.split('|')) assert.equal(confidentialityOf(`${word}\nnotes`), 'sensitive', word)
})

test('a text that is marked confidential is sensitive, and the words of a wallet let others in', () => {
  for (const text of [
    'STRICTLY CONFIDENTIAL. Do not share outside the company.\nWe will buy Falcon.',
    '# Proprietary and confidential. Pricing engine.\ndef price(x): ...',
    '"classification": "Confidential"',
    'Minutes\n\nVertraulich: nur für den Vorstand',
    '/* TOP SECRET - board only */',
    'Do not distribute this outside of the team',
    '// Copyright Acme. Confidential and proprietary.',
    '# ACME CONFIDENTIAL - internal use only',
    '* Confidential, do not share',
  ])
    assert.equal(confidentialityOf(text), 'sensitive', text)
  for (const text of [
    'Confidential computing is a way to protect data in use.',
    'Hi Ann,\nsee you on Monday.\n\nThis e-mail may be confidential.',
    `${'Notes of the week. '.repeat(40)}\nConfidential:`,
    'export const isConfidential = true',
    'Confidential: false\nname: thing',
    '"accessType": "confidential",',
    'client:\n  type: confidential\n  id: web',
    'Riservato ai soci: il pranzo',
    'Total pass 12345678 fail 12',
    '"kennwort": "Passwort_1"',
    'Passwort: Zurücksetzen_1',
    'Backup phrase: the quick brown fox jumps over one lazy dog and then sleeps well',
  ])
    assert.equal(confidentialityOf(text), undefined, text)
  const words = 'witch collapse practice feed shame open despair creek road again ice least'
  assert.equal(confidentialityOf(`recovery phrase: ${words}`), 'credentials')
  assert.equal(confidentialityOf(`the recovery phrase of a song: la la la`), undefined)
})
