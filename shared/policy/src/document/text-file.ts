import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { DOCUMENT_KINDS, PlimsollError } from '@plimsoll/contracts'

/** The longest document, bytes; the shipped bundle has 0.3 MB. */
const BYTES_MAX = 16 * 1_024 * 1_024

/**
 * The text of a file that people write or tools print, such as a document; it may be zipped, as packages hold the shipped documents:
 * gzip by its first bytes, Brotli by `.br` at the end of the name.
 *
 * @param what names the file in errors, for example "policy `p.yaml`"
 * @throws PlimsollError `document_invalid` where the file is missing, a folder, empty, not text, or longer than 16 MB
 */
export async function readTextFile(file: string | URL, what = `\`${String(file)}\``): Promise<string> {
  const refuse = (problem: string, cause?: unknown): never => {
    throw new PlimsollError('document_invalid', `${what} ${problem}`, { cause })
  }
  const bytes = await readFile(file).catch((cause: unknown) =>
    refuse(`cannot be read: ${fileProblem(cause)}`, cause),
  )
  const text = textIn(bytes, String(file).endsWith('.br')) ?? refuse('is not text: expected YAML or JSON')
  if (text.length > BYTES_MAX)
    refuse(`has ${megabytes(text.length)} MB: at most ${megabytes(BYTES_MAX)} MB are read`)
  return text.trim() === '' ? refuse('is empty: expected YAML or JSON') : text
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_024 / 1_024)

/** The text in bytes that may be zipped; undefined for what is not UTF-8, or holds a NUL as no text does. */
export function textIn(bytes: Buffer, isBrotli = false): string | undefined {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const limit = { maxOutputLength: 2 * BYTES_MAX }
  try {
    const plain = isBrotli ? brotliDecompressSync(bytes, limit) : isZipped ? gunzipSync(bytes, limit) : bytes
    const text = new TextDecoder('utf-8', { fatal: true }).decode(plain)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The text of a file of this package, which a published package may zip (Brotli): under the same name with `.br` at its end. */
export function readOwnText(file: URL): string {
  const isBrotli = !existsSync(file)
  return textIn(readFileSync(isBrotli ? new URL(`${file.href}.br`) : file), isBrotli) ?? ''
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file, check the path',
  ENOTDIR: 'there is no such file, check the path',
  EISDIR: 'it is a folder, name a file in it',
  EACCES: 'this user may not read it, check its permissions',
  EPERM: 'this user may not read it, check its permissions',
}

/** Why a file cannot be read, and what to do, by the error of the file system. */
export function fileProblem(cause: unknown): string {
  const { code = '' } = cause as NodeJS.ErrnoException
  return PROBLEMS[code] ?? (cause instanceof Error ? cause.message : String(cause))
}

/**
 * Refuses content that is plainly something else than a document of `kind`, such as `plimsoll.policy`, before its members are checked one
 * by one. Throws `document_invalid`.
 */
export function assertKind(content: unknown, kind: string, name: string): void {
  const members = typeof content === 'object' && content !== null && !Array.isArray(content) ? content : {}
  if ('kind' in members) {
    const isOther = members.kind !== kind && KINDS.has(members.kind)
    if (!isOther) return
    throw wrongKind(name, kind, `its \`kind\` is \`${String(members.kind)}\``)
  }
  if ('schema' in members || 'specs' in members || 'tools' in members || 'servers' in members) return
  throw wrongKind(name, kind, 'it has no `kind`')
}

const KINDS: ReadonlySet<unknown> = new Set(DOCUMENT_KINDS.map((kind) => `plimsoll.${kind}`))

const wrongKind = (name: string, kind: string, problem: string): PlimsollError =>
  new PlimsollError(
    'document_invalid',
    `\`${name}\` is not a ${kind.replace('plimsoll.', '')}: ${problem}, expected \`kind: ${kind}\``,
  )
