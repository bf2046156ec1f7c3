import { createRandom, type Random } from '../../property/random.js'

/** A step as an agent makes it: what it sends, and what comes back. */
export interface TextStep {
  readonly tool: string
  readonly description: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** A list of messages, a page of text or a log. */
  readonly result: unknown
}

const ARGUMENT_UNITS = 2_048
const RESULT_UNITS = 8_192

const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'g',
  'h',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'st',
  't',
  'v',
  'w',
] as const
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou'] as const
const CODAS = ['', '', 'l', 'm', 'n', 'nd', 'r', 'rt', 's', 'st', 't'] as const
const COMMON = [
  'the',
  'of',
  'and',
  'to',
  'in',
  'is',
  'for',
  'on',
  'that',
  'with',
  'you',
  'are',
  'this',
  'from',
] as const
const HOSTS = ['mail.example.org', 'harbour.example', 'docs.example.com', 'x.example.net'] as const

/** `count` steps of 2 kB of arguments and 8 kB of result each, of made-up words with what texts have among them. By the seed alone. */
export function textSteps(seed: number, count: number): TextStep[] {
  const random = createRandom(seed)
  const vocabulary = Array.from({ length: 4_000 }, () => word(random))
  const pick = () => (random.chance(0.4) ? random.pick(COMMON) : (vocabulary[random.below(4_000)] ?? 'tide'))
  const results = [messages, page, log]
  return Array.from({ length: count }, (_, i) => ({
    tool: 'send_email',
    description: 'Sends an e-mail to the recipients with the subject and body that are given.',
    arguments: {
      recipients: [address(random)],
      subject: prose(random, pick, 40),
      body: prose(random, pick, ARGUMENT_UNITS - 140),
    },
    result: (results[i % results.length] ?? page)(random, pick),
  }))
}

type Pick = () => string

const syllable = (random: Random): string => random.pick(ONSETS) + random.pick(VOWELS) + random.pick(CODAS)

const word = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => syllable(random)).join('')

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => String(random.below(10))).join('')

const address = (random: Random): string => `${word(random)}.${word(random)}@${random.pick(HOSTS)}`

/** What stands among words: numbers, dates, names, addresses, links. */
function reporting(random: Random): string {
  const kinds = [
    () => `${digits(random, 3)}.${digits(random, 2)}`,
    () => `2026-0${1 + random.below(9)}-1${random.below(10)}`,
    () => `${capital(word(random))} ${capital(word(random))}`,
    () => address(random),
    () => `https://${random.pick(HOSTS)}/${word(random)}/${word(random)}?id=${digits(random, 6)}`,
    () => `"${word(random)} ${word(random)}"`,
  ] as const
  return random.pick(kinds)()
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function prose(random: Random, pick: Pick, units: number): string {
  let text = ''
  while (text.length < units) {
    const words = Array.from({ length: 6 + random.below(14) }, () =>
      random.chance(0.06) ? reporting(random) : pick(),
    )
    text += `${capital(words.join(random.chance(0.02) ? ', ' : ' '))}.${random.chance(0.15) ? '\n\n' : ' '}`
  }
  return text.slice(0, units)
}

function messages(random: Random, pick: Pick): unknown {
  return Array.from({ length: 8 }, (_, i) => ({
    id: `${i}`,
    sender: address(random),
    recipients: [address(random), address(random)],
    subject: prose(random, pick, 48),
    timestamp: `2026-05-1${random.below(10)} 12:${10 + random.below(50)}`,
    read: random.chance(0.5),
    body: prose(random, pick, 770),
  }))
}

const page = (random: Random, pick: Pick): string => prose(random, pick, RESULT_UNITS)

function log(random: Random, pick: Pick): string {
  let text = ''
  while (text.length < RESULT_UNITS)
    text += `2026-05-1${random.below(10)}T12:00:${10 + random.below(50)}Z INFO ${word(random)}.${word(random)} id=${digits(random, 8)} path=/var/${word(random)}/${word(random)}.log ${pick()} ${pick()} ${pick()}\n`
  return text.slice(0, RESULT_UNITS)
}
