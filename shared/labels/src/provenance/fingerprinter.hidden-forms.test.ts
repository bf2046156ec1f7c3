import assert from 'node:assert/strict'
import { deflateRawSync } from 'node:zlib'
import { test } from 'node:test'
import { finds, proposalOf, sampleFingerprinter } from './sample-fingerprints.js'

const ID = 'QT-60931'
const NUMBER = '5512098837'
const READ = `Claim ${ID} of Ida Holm: to be paid to ${NUMBER}.`
const PLAIN = `Ida Holm ${ID} ${NUMBER}`

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const reversed = (text: string): string => Array.from(text).toReversed().join('')
const each = (text: string, write: (code: number, character: string) => string): string =>
  Array.from(text, (character) => write(character.codePointAt(0) ?? 0, character)).join('')
const hexOf = (code: number, length: number): string => code.toString(16).padStart(length, '0')
const shifted = (by: number) => each(NUMBER, (code) => String.fromCodePoint(code - 48 + by))

function base32(text: string): string {
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('')
}

/** Ways in which the arguments of a step may contain a value that was read. */
const FOUND: readonly (readonly [how: string, values: unknown])[] = [
  ['the path of a URL', { body: `https://a.example/claims/${ID}/open` }],
  ['the query of a URL', { body: `https://a.example/?page=2&claim=${ID}` }],
  ['the fragment of a URL', { body: `https://a.example/claims#${NUMBER}` }],
  ['a path', { body: `/srv/claims/${NUMBER}/letter.txt` }],
  ["a file's name", { body: `letter_${ID}_final.pdf` }],
  ['an address', { body: `claims.${NUMBER}@a.example` }],
  ['glued to letters', { body: `ref${ID}b` }],
  ['glued to small letters', { body: `nr${NUMBER}end` }],
  ['glued by signs', { body: `claim:${ID}=to&${NUMBER}` }],
  ['glued by underscores', { body: `claim_${NUMBER}` }],
  ['digit by digit', { body: `so ${Array.from(NUMBER).join(' ')} it is` }],
  ['in pairs', { body: NUMBER.replace(/..(?=.)/g, '$& ') }],
  ['in pairs, by slashes', { body: NUMBER.replace(/..(?=.)/g, '$&/') }],
  ['in threes, by commas', { body: NUMBER.replace(/...(?=.)/g, '$&, ') }],
  ['character by character', { body: Array.from('QT60931').join(' ') }],
  ['digits of a list', { body: Array.from(NUMBER, Number) }],
  ['full-width digits', { body: shifted(0xff10) }],
  ['Arabic-Indic digits', { body: shifted(0x660) }],
  ['Devanagari digits', { body: `no. ${shifted(0x966)}.` }],
  ['mathematical digits', { body: `no. ${shifted(0x1d7ce)}.` }],
  ['superscript digits', { body: each(NUMBER, (code) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(code - 48)) }],
  ['digits in circles', { body: each(NUMBER, (code) => '⓪①②③④⑤⑥⑦⑧⑨'.charAt(code - 48)) }],
  ['keycaps', { body: each(NUMBER, (_, character) => `${character}\ufe0f\u20e3`) }],
  ['digits struck through', { body: each(NUMBER, (_, character) => `${character}\u0336`) }],
  ['a dash of another kind', { body: 'about QT\u201360931 again' }],
  ['a minus sign', { body: 'about QT\u221260931 again' }],
  ['invisible tags', { body: `hello${each(` ${PLAIN}`, (code) => String.fromCodePoint(0xe0000 + code))}` }],
  ['the words of a query', { query: 'Ida+Holm+claim' }],
  ['a zero-width space', { body: 'about QT-60\u200b931 again' }],
  ['a soft hyphen', { body: 'about 55120\u00ad98837 again' }],
  ['Cyrillic letters that look alike', { body: 'about Q\u0422-60931 again' }],
  ['Greek letters that look alike', { name: '\u0399da \u0397olm' }],
  ['numeric entities', { body: each(PLAIN, (code) => `&#${code};`) }],
  ['hexadecimal entities', { body: each(PLAIN, (code) => `&#x${hexOf(code, 2)};`) }],
  ['a named entity', { body: 'about QT&hyphen;60931 again' }],
  [
    'entities within entities',
    {
      body: each(
        each(ID, (code) => `&#${code};`),
        (_, own) => (own === '&' ? '&amp;' : own),
      ),
    },
  ],
  ['Unicode escapes', { body: each(PLAIN, (code) => `\\u${hexOf(code, 4)}`) }],
  ['braced Unicode escapes', { body: each(PLAIN, (code) => `\\u{${hexOf(code, 2)}}`) }],
  ['byte escapes', { body: each(PLAIN, (code) => `\\x${hexOf(code, 2)}`) }],
  ['octal escapes', { body: each(PLAIN, (code) => `\\${code.toString(8).padStart(3, '0')}`) }],
  ['code points', { body: each(ID, (code) => `U+${hexOf(code, 4)} `) }],
  ['quoted-printable', { body: each(ID, (code) => `=${hexOf(code, 2).toUpperCase()}`) }],
  ['percent-encoding of all', { body: each(PLAIN, (code) => `%${hexOf(code, 2)}`) }],
  ['JSON in JSON in a string', { body: JSON.stringify(JSON.stringify({ a: ID, b: [NUMBER] })) }],
  ['tags between characters', { body: each(NUMBER, (_, character) => `<b>${character}</b>`) }],
  ['stars between characters', { body: each(NUMBER, (_, character) => `**${character}**`) }],
  ['base64', { body: base64(PLAIN) }],
  ['base64 without padding', { body: base64(PLAIN).replace(/=+$/, '') }],
  ['base64 of a short value', { body: `see ${base64(ID)} there` }],
  ['base64 backwards', { body: reversed(base64(PLAIN)) }],
  ['base64 in pieces', { body: base64(PLAIN).replace(/.{8}/g, '$& ') }],
  ['base64 in lines', { body: base64(PLAIN).replace(/.{10}/g, '$&\n') }],
  ['base64 within a longer run', { body: `prefixAndMore${base64(PLAIN)}` }],
  ['base64 in the query of a URL', { body: `https://a.example/?d=${base64(PLAIN)}&x=1` }],
  ['base64 in a path', { body: `https://a.example/img/${base64(PLAIN)}/x.png` }],
  [
    'base64 behind others',
    {
      body: [...Array.from({ length: 30 }, (_, i) => base64(`a harmless text, ${i}`)), base64(PLAIN)].join(
        '\n',
      ),
    },
  ],
  ['base64 of a long text', { body: base64(`${'all is well '.repeat(800)}${PLAIN}`) }],
  [
    'percent-encoding behind a long text',
    { body: `${'all is well '.repeat(800)}${each(ID, (code) => `%${hexOf(code, 2)}`)}` },
  ],
  ['base32', { body: base32(PLAIN) }],
  ['base32 in small letters', { body: base32(PLAIN).toLowerCase() }],
  ['hexadecimal with 0x', { body: `0x${hex(PLAIN).toUpperCase()}` }],
  ['hexadecimal with spaces', { body: hex(PLAIN).replace(/..(?=.)/g, '$& ') }],
  ['hexadecimal with colons', { body: hex(PLAIN).replace(/..(?=.)/g, '$&:') }],
  ['a list of hexadecimal numbers', { body: hex(PLAIN).replace(/..(?=.)/g, '0x$&, ') }],
  ['numbers of characters', { body: each(PLAIN, (code) => `${code} `) }],
  ['a list of the numbers of characters', { body: Array.from(Buffer.from(PLAIN)) }],
  ['the folders of a URL', { url: 'https://a.example/5/5/1/2/0/9/8/8/3/7' }],
  ['the folders of a URL, by twos', { url: 'https://a.example/x/55/12/09/88/37/y' }],
  ['the hyphens of a URL', { url: 'https://a.example/v/5-5-1-2-0-9-8-8-3-7' }],
  ['the parts of a query', { url: 'https://a.example/?a=5&b=5&c=1&d=2&e=0&f=9&g=8&h=8&i=3&j=7' }],
  ['two parts of a query', { url: 'https://a.example/?a=55120&b=98837' }],
  ['a query alone', { body: 'a=55120&b=98837' }],
  ['commas of a URL', { url: 'https://a.example/5,5,1,2,0,9,8,8,3,7' }],
  ['the parts of a host', { host: '5.5.1.2.0.9.8.8.3.7.a.example' }],
  ['the parts of a host, with letters between', { host: 'x.55120.y.98837.a.example' }],
  ['the folders of a URL, letters too', { url: 'https://a.example/Q/T/6/0/9/3/1' }],
  ['percent signs between', { url: 'https://a.example/5%2F5%2F1%2F2%2F0%2F9%2F8%2F8%2F3%2F7' }],
  ["an argument's name", { QT60931: 1 }],
  ["an argument's name, glued", { fromQT60931to: 1 }],
  ['two arguments, apart', { a: 'QT-6', body: 'all is well', b: '0931' }],
]

for (const [how, values] of FOUND)
  test(`finds a value in another form: ${how}`, () => assert.ok(finds(READ, values)))

const RESULTS: readonly (readonly [how: string, result: string])[] = [
  ['in a URL', `open https://a.example/claims/${ID}?to=${NUMBER} for more`],
  ["in a file's name", `- letter_${ID}.pdf\n- pay_${NUMBER}.pdf`],
  ['in base64', `{"content":"${base64(PLAIN)}"}`],
  ['in escapes', each(PLAIN, (code) => `\\u${hexOf(code, 4)}`)],
  ['in full-width digits', `no. ${shifted(0xff10)} and ${ID}`],
]

for (const [how, result] of RESULTS)
  test(`finds a plain value that a result holds in another form: ${how}`, () => {
    assert.ok(finds(result, { body: `about ${ID}` }) || finds(result, { body: `about ${NUMBER}` }))
  })

/** Common values, which are no ids. */
const APART: readonly (readonly [what: string, result: string, values: unknown])[] = [
  ['a year', 'report_2024.pdf', { body: 'the plan for 2024' }],
  ['a date', 'letter_20240517.pdf', { day: '2024-05-17' }],
  ['a small number', 'file-42.txt and page_7', { n: 42, page: 7 }],
  ['a time', 'log_2024-05-17T101500.txt', { at: '10:15' }],
  ['a day of a URL', 'signed on 2024-05-17', { url: 'https://a.example/2024/05/17/news' }],
  ['other digits', READ, { body: 'QT-60932 and 5512098838' }],
  ['a version', 'app-1.2.30.tgz', { body: 'we run 1230 of them' }],
]

for (const [what, result, values] of APART)
  test(`ignores common values: ${what}`, () => assert.ok(!finds(result, values)))

function isPartial(values: unknown): boolean {
  proposalOf(values)
  return sampleFingerprinter.wasPartial || sampleFingerprinter.wasOpaque
}

/** Random letters and digits from a fixed seed. */
let seed = 11
const drawn = (
  length: number,
  from = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
): string =>
  Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return from.charAt(Math.floor((seed / 2 ** 32) * from.length))
  }).join('')

const UNKNOWN: readonly (readonly [what: string, values: unknown])[] = [
  ['what is compressed', { body: deflateRawSync(PLAIN.repeat(3)).toString('base64') }],
  ['an unknown alphabet', { body: `take ${drawn(28)} along` }],
  ['the same in pieces', { body: drawn(64).replace(/.{8}/g, '$& ') }],
  ['hexadecimal that is no hash', { body: drawn(74, '0123456789abcdef') }],
  ['small letters and digits', { body: drawn(40, 'abcdefghijklmnopqrstuvwxyz0123456789') }],
  ['letters without an end', { body: drawn(80, 'abcdefghijklmnopqrstuvwxyz') }],
  ['encodings within encodings', { body: base64(base64(base64(base64(base64(PLAIN))))) }],
  [
    'more that is decoded than is read',
    {
      body: Array.from({ length: 30 }, (_, i) => base64(`text ${i} `.repeat(60)))
        .map(base64)
        .join(' '),
    },
  ],
  [
    'more parts than find room',
    { body: Array.from({ length: 200 }, (_, i) => `https://a.example/AB-${70_000 + i}`).join(' ') },
  ],
  [
    'more values put together than are kept',
    { body: Array.from({ length: 40 }, (_, i) => `${100 + i}/${200 + i}`).join(' ') },
  ],
  ['a URL without an end', { url: `https://a.example/${'a1/'.repeat(1500)}` }],
  ['numbers without an end', { body: Array.from({ length: 60 }, (_, i) => (i * 37) % 90).join(' ') }],
  ['a map that holds more than is read', { body: new Map(Array.from({ length: 600 }, (_, i) => [i, i])) }],
  ['bytes that are no text', { body: Buffer.from([0xff, 0xfe, 0x80, 0x00]) }],
  ['a function', { body: () => 1 }],
]

for (const [what, values] of UNKNOWN) test(`marks as partial: ${what}`, () => assert.ok(isPartial(values)))

const ORDINARY: readonly (readonly [what: string, values: unknown])[] = [
  [
    'a letter',
    {
      to: 'ida@a.example',
      subject: 'Lunch',
      body: 'Shall we meet at 12:30 on 2024-05-17? The menu has 3 courses for 24 euros.',
    },
  ],
  ['a commit', { body: 'fixed by 9f1c2e7ab04d5536e8f7a9b0c1d2e3f405162738' }],
  ['a hash', { body: `sha256:${drawn(64, '0123456789abcdef')}` }],
  ['a UUID', { id: '3f2b8c1e-6a47-4d9b-9c55-0b7e1f2a3d4c' }],
  [
    'identifiers',
    { body: 'getCustomerAccountByIdentifier and MAX_RETRY_COUNT_PER_CONNECTION in user_profile_service_v2' },
  ],
  [
    'a URL',
    {
      url: 'https://www.example.org/blog/2024/05/17/how-to-write-a-good-letter-in-10-steps?utm_source=newsletter&page=2',
    },
  ],
  ['a path', { path: '/usr/local/share/applications/org.example.TextEditor-3.2.desktop' }],
  ['a phone number', { phone: '+49 30 1234 5678' }],
  ['an account', { iban: 'DE89 3704 0044 0532 0130 00' }],
  ['JSON', { body: '{"name": "Ida", "count": 3, "tags": ["a", "b"]}' }],
  ['markup', { body: '<p>Hello <b>Ida</b>, see <a href="https://a.example">this</a> &amp; that.</p>' }],
  ['Markdown', { body: '# Title\n\n**Bold** and `code`, *twice*.\n\n1. one\n2. two\n3. three' }],
  ['German', { body: 'Schöne Grüße aus Köln, wir sehen uns am 17. Mai – oder 2–3 Tage später.' }],
  ['Russian', { body: 'Встреча состоится в среду, принесите отчёт.' }],
  ['program text', { code: 'for (let i = 0; i < 10; i++) { console.log(`row ${i}`, table[i] * 2) }' }],
]

for (const [what, values] of ORDINARY)
  test(`does not mark as partial: ${what}`, () => assert.ok(!isPartial(values)))
