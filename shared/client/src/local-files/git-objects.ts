import { closeSync, lstatSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { constants, inflateSync } from 'node:zlib'

/** Larger objects are not read, in bytes; indexes of packs together, and how far a difference leads to others. */
const OBJECT_MAX = 1024 * 1024
const PACKS_MAX = 32 * 1024 * 1024
const CHAIN_MAX = 50

const NAMES = ['', 'commit', 'tree', 'blob'] as const
type Kind = 'commit' | 'tree' | 'blob'

export interface GitObject {
  readonly kind: Kind
  readonly data: Buffer
}

/** Reads objects of a repository's own store, loose or packed, by their SHA-1; undefined for what is not there or too large. */
export function objectsIn(store: string): (hash: string) => GitObject | undefined {
  let packs: readonly Pack[] | undefined
  const read = (hash: string, depth: number): GitObject | undefined => {
    const loose = readSmall(path.join(store, hash.slice(0, 2), hash.slice(2)), OBJECT_MAX)
    if (loose) return looseOf(loose)
    for (const pack of (packs ??= packsIn(path.join(store, 'pack')))) {
      const at = offsetIn(pack.index, hash)
      if (at !== undefined) return packedAt(pack, at, depth)
    }
    return undefined
  }
  const packedAt = (pack: Pack, at: number, depth: number): GitObject | undefined => {
    const entry = depth > CHAIN_MAX ? undefined : entryAt(pack.file, at)
    if (entry === undefined) return undefined
    const kind = NAMES[entry.type]
    if (kind) return { kind, data: entry.data }
    const base =
      typeof entry.base === 'number'
        ? packedAt(pack, entry.base, depth + 1)
        : read(entry.base ?? '', depth + 1)
    const data = base && applied(entry.data, base.data)
    return base && data && { kind: base.kind, data }
  }
  return (hash) => {
    try {
      return read(hash, 0)
    } catch {
      // No object of Git's, or a cut text.
      return undefined
    }
  }
}

const inflated = (bytes: Buffer): Buffer =>
  inflateSync(bytes, { maxOutputLength: OBJECT_MAX, finishFlush: constants.Z_SYNC_FLUSH })

function looseOf(bytes: Buffer): GitObject | undefined {
  const whole = inflated(bytes)
  const end = whole.indexOf(0)
  const [, kind, size] = /^(commit|tree|blob) (\d{1,9})$/.exec(whole.toString('latin1', 0, end)) ?? []
  const data = whole.subarray(end + 1)
  return Number(size) === data.length ? { kind: kind as Kind, data } : undefined
}

interface Pack {
  readonly index: Buffer
  readonly file: string
}

function packsIn(folder: string): readonly Pack[] {
  let left = PACKS_MAX
  return readdirSync(folder)
    .filter((name) => name.endsWith('.idx'))
    .flatMap((name) => {
      const index = readSmall(path.join(folder, name), left)
      if (index === undefined || index.length < 1032 || index.readUInt32BE(0) !== 0xff74_4f63) return []
      left -= index.length
      return { index, file: path.join(folder, name.replace(/idx$/, 'pack')) }
    })
}

/** Source: Git's `Documentation/gitformat-pack.txt`, version 2: sums by the first byte, hashes in order, checks, offsets. */
function offsetIn(index: Buffer, hash: string): number | undefined {
  const wanted = Buffer.from(hash, 'hex')
  const first = wanted[0]
  if (first === undefined || wanted.length !== 20) return undefined
  const count = index.readUInt32BE(8 + 4 * 255)
  let [from, to] = [first === 0 ? 0 : index.readUInt32BE(4 + 4 * first), index.readUInt32BE(8 + 4 * first)]
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = wanted.compare(index, 1032 + 20 * middle, 1052 + 20 * middle)
    if (order === 0) {
      const at = index.readUInt32BE(1032 + 24 * count + 4 * middle)
      return at < 0x8000_0000 ? at : undefined
    }
    if (order < 0) to = middle
    else from = middle + 1
  }
  return undefined
}

interface Entry {
  readonly type: number
  readonly data: Buffer
  /** What the data is a difference to: a place in the pack, or a hash. */
  readonly base?: number | string
}

const OFFSET_DELTA = 6
const HASH_DELTA = 7

/** The same source: a type and a size in groups of bits, what a difference is to, compressed data. */
function entryAt(file: string, at: number): Entry | undefined {
  const head = bytesAt(file, at, 64)
  let [i, byte] = [1, head[0] ?? 0]
  const type = (byte >> 4) & 7
  let [size, shift] = [byte & 15, 4]
  for (; byte & 0x80; shift += 7) {
    byte = head[i++] ?? 0
    size += (byte & 0x7f) * 2 ** shift
  }
  if (size > OBJECT_MAX) return undefined
  let base: number | string | undefined
  if (type === HASH_DELTA) {
    base = head.toString('hex', i, i + 20)
    i += 20
  } else if (type === OFFSET_DELTA) {
    byte = head[i++] ?? 0
    let back = byte & 0x7f
    while (byte & 0x80) {
      byte = head[i++] ?? 0
      back = (back + 1) * 128 + (byte & 0x7f)
    }
    if (back <= 0 || back > at) return undefined
    base = at - back
  }
  const data = inflated(bytesAt(file, at + i, size + (size >> 8) + 1024))
  return data.length === size ? { type, data, ...(base !== undefined && { base }) } : undefined
}

function bytesAt(file: string, at: number, length: number): Buffer {
  const open = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(open, bytes, 0, length, at))
  } finally {
    closeSync(open)
  }
}

/** A difference, applied: copies from the base and new bytes. */
function applied(delta: Buffer, base: Buffer): Buffer | undefined {
  let i = 0
  const number = (): number => {
    let [value, shift, byte] = [0, 0, 0]
    do {
      byte = delta[i++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      shift += 7
    } while (byte & 0x80 && shift < 35)
    return value
  }
  if (number() !== base.length) return undefined
  const size = number()
  if (size > OBJECT_MAX) return undefined
  const parts: Buffer[] = []
  let left = size
  while (i < delta.length && left >= 0) {
    const code = delta[i++] ?? 0
    if ((code & 0x80) === 0) {
      if (code === 0) return undefined
      parts.push(delta.subarray(i, i + code))
      i += code
      left -= code
      continue
    }
    let [from, length] = [0, 0]
    for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) from += (delta[i++] ?? 0) * 2 ** (8 * bit)
    for (let bit = 0; bit < 3; bit++) if (code & (0x10 << bit)) length += (delta[i++] ?? 0) * 2 ** (8 * bit)
    if (length === 0) length = 0x1_0000
    parts.push(base.subarray(from, from + length))
    left -= length
  }
  return left === 0 ? Buffer.concat(parts) : undefined
}

/** A file by its path, unless it is larger, in bytes, or no plain file. */
export function readSmall(file: string, max: number): Buffer | undefined {
  try {
    const found = lstatSync(file)
    return found.isFile() && found.size <= max ? readFileSync(file) : undefined
  } catch {
    return undefined
  }
}
