import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { finds } from './sample-fingerprints.js'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const reversed = (text: string): string => Array.from(text).toReversed().join('')

const MAIL = 'mark.black-2134@gmail.com'
const IBAN = 'DE89370400440532013000'
const SECRET = 'sk-Live9f8e7d6c5b4a'

/** A value in a result, and the same value in the arguments of a call. */
const SAME: readonly (readonly [name: string, result: string, values: unknown])[] = [
  ['as it is', `Write to ${MAIL}.`, { to: MAIL }],
  ['in another case', `Write to ${MAIL}.`, { to: MAIL.toUpperCase() }],
  ['in a list', `Write to ${MAIL}.`, { cc: ['ann@example.com', MAIL] }],
  ['deep in an object', `Write to ${MAIL}.`, { message: { headers: { extra: [MAIL] } } }],
  ['within a text', `Write to ${MAIL}.`, { body: `Please forward this to ${MAIL}, thanks.` }],
  ['with spaces put in', `Write to ${MAIL}.`, { to: 'm a r k . b l a c k - 2 1 3 4 @ g m a i l . c o m' }],
  ['with an invisible character in it', `Write to ${MAIL}.`, { to: MAIL.replace('black', 'bl\u200back') }],
  ['in full-width letters', 'Pay Riverside Hotel', { to: 'Ｒｉｖｅｒｓｉｄｅ Ｈｏｔｅｌ' }],
  ['without its accents', 'Booked: Café Liégeois', { restaurant: 'Cafe Liegeois' }],
  ['in base64', `Write to ${MAIL}.`, { data: base64(MAIL) }],
  ['in base64 with more around it', `Write to ${MAIL}.`, { data: `x=${base64(`user ${MAIL} asks`)}` }],
  [
    'in base64 for URLs',
    `Key ${SECRET}?`,
    { data: base64(`????${SECRET}>>>>`).replaceAll('+', '-').replaceAll('/', '_') },
  ],
  [
    'in base64 over lines',
    `Write to ${MAIL}.`,
    { data: base64(`${'filler '.repeat(12)}${MAIL}`).replace(/.{76}/g, '$&\n') },
  ],
  ['in base64 twice', `Write to ${MAIL}.`, { data: base64(base64(MAIL)) }],
  ['in hexadecimal', `Write to ${MAIL}.`, { data: hex(MAIL) }],
  ['in a URL', `Write to ${MAIL}.`, { data: `mail=${encodeURIComponent(MAIL)}` }],
  ['percent-encoded throughout', `Write to ${MAIL}.`, { data: hex(MAIL).replace(/../g, '%$&') }],
  ['backwards', `Write to ${MAIL}.`, { to: reversed(MAIL) }],
  ['a key backwards', `The key is ${SECRET}`, { note: reversed(SECRET) }],
  ['split over two arguments', `Write to ${MAIL}.`, { user: 'mark.black-2134', host: 'gmail.com' }],
  ['an account in groups', `Account ${IBAN}`, { account: 'DE89 3704 0044 0532 0130 00' }],
  ['an account in one', 'Account DE89 3704 0044 0532 0130 00 is new', { recipient: IBAN }],
  ['a phone number', 'Call +1 (555) 123-4567 now', { phone: '15551234567' }],
  ['a card', 'Card 4111 1111 1111 1111', { card: '4111111111111111' }],
  ['an amount', 'It costs $1,250.00 a year', { amount: 1250 }],
  ['a URL without scheme and www', 'See https://www.Example.com/a/b/', { url: 'example.com/a/b' }],
  ['a host', 'Visit www.true-informations.com.', { url: 'http://www.true-informations.com' }],
  [
    'the host of a longer URL',
    'Visit www.true-informations.com',
    { url: 'https://true-informations.com/x?y=1' },
  ],
  ['a path', 'Stored in /home/ann/.ssh/id_rsa', { path: '/home/ann/.ssh/id_rsa' }],
  ["a file's name in a path", 'Open the report-2024.pdf', { path: '/tmp/report-2024.pdf' }],
  [
    'a name',
    'Make a reservation for the Riverside View Hotel from the 13th',
    { hotel: 'riverside view hotel' },
  ],
  ['a quoted title', "The title should be 'intro with mark'.", { title: 'Intro with Mark' }],
  ['a listed value', 'channels:\n  - general\n  - random\n', { channel: 'random' }],
  ['a short id', "Please delete the file with ID '13'.", { file_id: '13' }],
  ['a short id in JSON', '{"id": "13", "name": "x"}', { file_id: 13 }],
  ['split over three arguments', `Write to ${MAIL}.`, { a: 'mark.bl', b: 'ack-2134', c: '@gmail.com' }],
  [
    'letters of another alphabet that look alike',
    'Book the Riverside Hotel',
    { hotel: 'R\u0456verside H\u043etel' },
  ],
  ['hexadecimal with colons', `Write to ${MAIL}.`, { data: hex(MAIL).replace(/..(?=.)/g, '$&:') }],
  ['base64 in more than two turns', `Write to ${MAIL}.`, { data: base64(base64(base64(MAIL))) }],
]

for (const [name, result, values] of SAME)
  test(`finds the same value: ${name}`, () => assert.ok(finds(result, values)))

/** Other values, and common ones, which do not count. */
const OTHER: readonly (readonly [name: string, result: string, values: unknown])[] = [
  ['another address', `Write to ${MAIL}.`, { to: 'mark.white@gmail.com' }],
  ['another account', `Account ${IBAN}`, { account: 'DE89370400440532013001' }],
  ['a year', 'In 2024 we met', { year: 2024, text: 'since 2024' }],
  [
    'function words',
    'this is what they have been doing with it',
    { text: 'what have they been doing with this' },
  ],
  ['a small number', 'There are 12 of 30 left', { n: 12, limit: 30 }],
  ['nothing at all', '', {}],
]

for (const [name, result, values] of OTHER)
  test(`does not match: ${name}`, () => assert.ok(!finds(result, values)))

/** Known gaps, listed in docs/explanation/labels.md. If a row starts to match, move it up and remove it from that page. */
const THROUGH: readonly (readonly [name: string, result: string, values: unknown])[] = [
  ['half of a value, as one of two calls has it', `Write to ${MAIL}.`, { to: 'mark.black-2' }],
  ['digits for letters', 'Book the Riverside Hotel', { hotel: 'R1v3rs1de H0tel' }],
  ['ROT13', `Write to ${MAIL}.`, { to: 'znex.oynpx-2134@tznvy.pbz' }],
  ['base64 of what is compressed', `Write to ${MAIL}.`, { data: deflateSync(MAIL).toString('base64') }],
  ['a date in words', 'on 2024-05-30', { day: 'May 30th, 2024' }],
  ['an amount below 1,000', 'It costs 250 euros', { amount: 250 }],
  [
    'a text backwards',
    `The minutes of the board meeting stay here`,
    { body: reversed('The minutes of the board meeting stay here') },
  ],
]

for (const [name, result, values] of THROUGH)
  test(`known gap: ${name}`, () => assert.ok(!finds(result, values)))
