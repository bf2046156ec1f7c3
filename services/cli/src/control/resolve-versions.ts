import { PlimsollError, type RegisteredDocument, type SomeVersions } from '@plimsoll/contracts'

const PREFIX = /^[0-9a-f]{8,32}$/

/** Throws `usage_invalid` for what is neither a version nor the beginning of one, 8 digits at least. */
export function assertPrefixes(given: readonly string[]): void {
  const problems = given
    .filter((each) => !PREFIX.test(each))
    .map((each) => `\`${each}\` is no version: 8 to 32 hex digits, as \`plimsoll controls\` lists them`)
  if (problems.length > 0) throw new PlimsollError('usage_invalid', problems.join('; '))
}

/**
 * The documents that `prefixes` name, each a version or the beginning of one that no other has.
 *
 * @throws PlimsollError `usage_invalid` for what names several, or two of a kind; `version_unknown` for what is not registered
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
      `no registered document has version \`${prefix}\`: publish it with \`plimsoll publish FILE\`; \`plimsoll controls\` lists those there are`,
    )
  if (more.length === 0) return first
  const names = found.map(({ kind, version, document }) => `\`${version}\` (${kind} \`${document.name}\`)`)
  throw new PlimsollError('usage_invalid', `\`${prefix}\` is the beginning of several: ${names.join(', ')}`)
}
