import { PlimsollError, type RegisteredDocument, type SomeVersions } from '@plimsoll/contracts'
import { readAnyDocument } from '@plimsoll/policy'
import { registerDocument, type Registry, type RegisterLog } from '@plimsoll/runtime'

/** Throws `document_invalid` with every problem of every file: then nothing is published. */
export async function readDocuments(files: readonly string[]): Promise<readonly RegisteredDocument[]> {
  const settled = await Promise.allSettled(files.map(readAnyDocument))
  const problems = settled.flatMap((result) => {
    if (result.status === 'fulfilled') return []
    if (!(result.reason instanceof PlimsollError)) throw result.reason
    return [result.reason.message]
  })
  if (problems.length > 0)
    throw new PlimsollError('document_invalid', `${problems.join('\n  ')}\nnothing was published`)
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

export interface PublishPlace {
  readonly log: RegisterLog
  /** Of the registry. */
  readonly topic: string
  readonly registry: Pick<Registry, 'document' | 'refresh'>
  readonly signal: AbortSignal
}

/** Writes `documents` to the registry, and reads them back. Throws `log_unavailable` if one is missing then. */
export async function publishDocuments(
  documents: readonly RegisteredDocument[],
  { log, topic, registry, signal }: PublishPlace,
): Promise<void> {
  for (const { document } of documents) await registerDocument(log, topic, document)
  await registry.refresh(signal)
  assertThere(
    documents.filter(({ version }) => !registry.document(version)),
    topic,
  )
}

/** A document that cannot be read back was not published. */
function assertThere(missing: readonly RegisteredDocument[], topic: string): void {
  if (missing.length === 0) return
  const names = missing.map(({ kind, document }) => `${kind} \`${document.name}\``).join(', ')
  throw new PlimsollError(
    'log_unavailable',
    `${names} cannot be read back from topic \`${topic}\`: publish again`,
  )
}

const PREFIX = /^[0-9a-f]{8,32}$/

/** Throws `usage_invalid` unless each is a version or a prefix of at least 8 digits. */
export function assertPrefixes(given: readonly string[]): void {
  const problems = given
    .filter((each) => !PREFIX.test(each))
    .map((each) => `\`${each}\` is no version: 8 to 32 hex digits, as \`plimsoll control show\` lists them`)
  if (problems.length > 0) throw new PlimsollError('usage_invalid', problems.join('; '))
}

/**
 * The documents that `prefixes` name, each a version or a unique prefix of one.
 *
 * @throws PlimsollError `usage_invalid` for an ambiguous prefix, or two of a kind; `version_unknown` if none is registered
 */
export function resolveVersions(
  prefixes: readonly string[],
  documents: readonly RegisteredDocument[],
): SomeVersions {
  const versions: SomeVersions = {}
  for (const each of prefixes) {
    const { kind, version } = theOnly(each, documents)
    if (versions[kind] !== undefined && versions[kind] !== version)
      throw new PlimsollError('usage_invalid', `\`${versions[kind]}\` and \`${version}\` are both a ${kind}`)
    versions[kind] = version
  }
  return versions
}

function theOnly(prefix: string, documents: readonly RegisteredDocument[]): RegisteredDocument {
  const found = documents.filter(({ version }) => version.startsWith(prefix))
  const [first, ...more] = found
  if (!first)
    throw new PlimsollError(
      'version_unknown',
      `no registered document has version \`${prefix}\`: publish it with \`plimsoll publish FILE\`; \`plimsoll control show\` lists those there are`,
    )
  if (more.length === 0) return first
  const names = found.map(({ kind, version, document }) => `\`${version}\` (${kind} \`${document.name}\`)`)
  throw new PlimsollError('usage_invalid', `\`${prefix}\` is the prefix of several: ${names.join(', ')}`)
}
