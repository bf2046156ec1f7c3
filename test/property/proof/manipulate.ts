import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { canonicalJson } from '@plimsoll/contracts'
import type { Entry, SignedCheckpoint } from '@plimsoll/proof'
import type { Random } from '../random.js'

/*
 * What one who can write a proof file, and has no signing key, may try. They know the format: where it says so, everything but the
 * signatures is made to fit, by the documents of the format alone.
 */

export interface Files {
  /** The file that is manipulated. It ends with a checkpoint. */
  readonly lines: readonly string[]
  /** Another of the same tenant and key. */
  readonly other: readonly string[]
  /** The file before some of its entries were erased. */
  readonly before: readonly string[]
}

export type Manipulate = (files: Files, random: Random) => readonly string[] | Buffer

type Content = Entry | SignedCheckpoint
const isEntry = (content: Content): content is Entry => 'leaf' in content
const contentsOf = (lines: readonly string[]): Content[] => lines.map((line) => JSON.parse(line) as Content)
const linesOf = (contents: readonly Content[]): string[] => contents.map((content) => canonicalJson(content))

const sha256 = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** The entries numbered and hashed again. */
function resealed(contents: readonly Content[]): Content[] {
  let index = 0
  return contents.map((content) => {
    if (!isEntry(content)) return content
    const { tree, kind, source, body, salt } = content
    const digest =
      body === null || salt === null ? content.digest : sha256(Buffer.from(salt, 'hex'), canonicalJson(body))
    const head = { tree, index: index++, kind, source, digest }
    return { ...head, leaf: sha256(Buffer.of(0), canonicalJson(head)), body, salt }
  })
}

export const sealedAgain = (lines: readonly string[]): readonly string[] =>
  linesOf(resealed(contentsOf(lines)))

/** The places of what can be changed: before the last line, which is a checkpoint. */
const placeIn = (lines: readonly unknown[], random: Random): number => random.below(lines.length - 1)

/** The place of an entry that has a body. */
function bodyIn(contents: readonly Content[], random: Random): number {
  for (;;) {
    const place = placeIn(contents, random)
    const content = contents[place]
    if (content && isEntry(content) && content.body !== null && content.kind !== 'erasure') return place
  }
}

const forged = (entry: Entry): Entry => ({ ...entry, body: { ...entry.body, verdict: 'allow', by: 'eve' } })

function without<T>(items: readonly T[], from: number, count = 1): T[] {
  return [...items.slice(0, from), ...items.slice(from + count)]
}

function swapped<T>(items: readonly T[], a: number, b: number): T[] {
  const copy = [...items]
  ;[copy[a], copy[b]] = [items[b] as T, items[a] as T]
  return copy
}

/** Two places in order, not the same. */
function twoPlaces(count: number, random: Random): readonly [number, number] {
  const a = random.below(count - 1)
  return [a, a + 1 + random.below(count - a - 1)]
}

const own = generateKeyPairSync('ed25519').privateKey

const signedBy = ({ checkpoint }: SignedCheckpoint, key: KeyObject): SignedCheckpoint => ({
  checkpoint,
  signature: sign(null, Buffer.from(`plimsoll-checkpoint\n${canonicalJson(checkpoint)}`), key).toString(
    'base64',
  ),
})

const erasureOf = (tree: string, index: number, erased: number): Entry => {
  const body = { runs: [[erased, erased]], by: 'eve', time: 0 }
  const salt = randomBytes(32).toString('hex')
  return { tree, index, kind: 'erasure', source: null, digest: '', leaf: '', body, salt }
}

export const MANIPULATIONS: Readonly<Record<string, Manipulate>> = {
  'a byte is changed': ({ lines }, random) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    const at = random.below(bytes.length - 1)
    bytes[at] = ((bytes[at] ?? 0) + 1 + random.below(255)) % 256
    return bytes
  },
  'a body is changed, and its hashes with it': ({ lines }, random) => {
    const contents = contentsOf(lines)
    const place = bodyIn(contents, random)
    return linesOf(resealed(contents.map((each, i) => (i === place && isEntry(each) ? forged(each) : each))))
  },
  'a place in the log is changed, and its hashes with it': ({ lines }, random) => {
    const contents = contentsOf(lines)
    const place = bodyIn(contents, random)
    const change = (entry: Entry): Entry => ({
      ...entry,
      source: entry.source && { ...entry.source, time: entry.source.time + 1 },
    })
    return linesOf(resealed(contents.map((each, i) => (i === place && isEntry(each) ? change(each) : each))))
  },
  'a line is dropped': ({ lines }, random) => without(lines, placeIn(lines, random)),
  'an entry is dropped, and the rest is numbered': ({ lines }, random) => {
    const contents = contentsOf(lines)
    return linesOf(resealed(without(contents, bodyIn(contents, random))))
  },
  'a line is inserted': ({ lines }, random) =>
    lines.toSpliced(placeIn(lines, random), 0, lines[random.below(lines.length)] ?? ''),
  'an entry is inserted, and the rest is numbered': ({ lines }, random) => {
    const contents = contentsOf(lines)
    const entry = contents[bodyIn(contents, random)] as Entry
    return linesOf(resealed(contents.toSpliced(placeIn(lines, random), 0, forged(entry))))
  },
  'two lines change places': ({ lines }, random) => swapped(lines, ...twoPlaces(lines.length, random)),
  'two entries change places, and all are numbered': ({ lines }, random) => {
    const contents = contentsOf(lines)
    const [a, b] = [bodyIn(contents, random), bodyIn(contents, random)]
    return linesOf(resealed(swapped(contents, a, b)))
  },
  'it goes on as another file': ({ lines, other }, random) => [
    ...lines.slice(0, 1 + placeIn(lines, random)),
    ...other.slice(random.below(other.length)),
  ],
  'a part is that of another file, and all is numbered': ({ lines, other }, random) => {
    const [from, to] = twoPlaces(Math.min(lines.length, other.length) - 1, random)
    const part = contentsOf(other.slice(from, to))
    return linesOf(resealed(contentsOf(lines).toSpliced(from, to - from, ...part)))
  },
  'a part is cut out before the last checkpoint': ({ lines }, random) => {
    const [from, to] = twoPlaces(lines.length, random)
    return without(lines, from, to - from)
  },
  'a part is cut out, and the rest is numbered': ({ lines }, random) => {
    const [from, to] = twoPlaces(lines.length, random)
    return linesOf(resealed(contentsOf(without(lines, from, to - from))))
  },
  'an entry is erased, and an erasure is added without a checkpoint': ({ lines }, random) => {
    const contents = contentsOf(lines)
    const place = bodyIn(contents, random)
    const entry = contents[place] as Entry
    const entries = contents.filter(isEntry).length
    const erased = contents.map((each, i) => (i === place ? { ...entry, body: null, salt: null } : each))
    const added = random.chance(0.5) ? [erasureOf(entry.tree, entries, entry.index)] : []
    return linesOf(resealed([...erased, ...added]))
  },
  'what was erased is put back': ({ lines, before }, random) => {
    const erased = lines.flatMap((line, i) => (line.includes('"body":null') ? [i] : []))
    const place = erased[random.below(erased.length)] ?? 0
    return lines.with(place, before[place] ?? '')
  },
  'a body is changed, and the checkpoints are signed with another key': ({ lines }, random) => {
    const contents = contentsOf(lines)
    const place = bodyIn(contents, random)
    const changed = resealed(contents.map((each, i) => (i === place && isEntry(each) ? forged(each) : each)))
    return linesOf(changed.map((each) => (isEntry(each) ? each : signedBy(each, own))))
  },
}

/** Cuts of the end: such a file was whole at an earlier time. */
export const cutEnd = ({ lines }: Files, random: Random): Buffer => {
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  const isAtLine = random.chance(0.5)
  const end = isAtLine
    ? Buffer.byteLength(`${lines.slice(0, 1 + placeIn(lines, random)).join('\n')}\n`)
    : 1 + random.below(bytes.length - (lines.at(-1)?.length ?? 0) - 2)
  return bytes.subarray(0, end)
}
