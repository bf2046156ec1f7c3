import { type RegisteredDocument, type SomeVersions, PlimsollError } from '@plimsoll/contracts'
import { defineCommand, environmentOf } from '../../command.js'
import { publishDocuments, readDocuments } from '../../control/publish-documents.js'
import { type ChangeFor, controlOptions, controlSettings, runControl } from '../../control/run-control.js'

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

export const activate = defineCommand({
  name: 'activate',
  summary: 'has sessions judged by other published documents; an earlier version is the roll-back',
  description: [
    'New sessions are judged by these versions; a kind of document that is not named stays as it is. Sessions that run go on with what',
    'they began with, unless `--running` moves them: each then moves before its next event is judged.',
    'With `--shadow` nothing is activated: each proposal is judged by that bundle, policy or catalogue as well, no verdict depends on it, and',
    'metrics and the shadow topic show where the two differ. A file is published first. One candidate runs in shadow at a time.',
    'Waits for the answer of every partition, and fails if one refuses or does not answer. Run it again to complete it.',
  ],
  operands: {
    name: 'VERSION',
    help: 'a published version, or its first 8 digits or more; one of a kind',
    min: 0,
    max: 3,
  },
  options: {
    running: { type: 'flag', help: 'moves the sessions that run as well' },
    shadow: {
      type: 'list',
      value: 'VERSION',
      help: 'a bundle, a policy or a catalogue to run in shadow instead, published or a file; given again for one of another kind with it; `none` for none any more',
    },
    ...controlOptions,
  },
  environment: environmentOf(controlSettings),
  examples: [
    ['3f2a91c4', 'for new sessions'],
    ["3f2a91c4 --running --reason 'leak in the mail tool'", 'an urgent policy, for all sessions'],
    ["a07be1d2 --running --reason 'roll back'", 'the version before it: the roll-back'],
    ['--shadow 3f2a91c4', 'a candidate beside what is active'],
    ['--shadow policy.yaml', 'a policy that is not published yet'],
    ['--shadow 3f2a91c4 --shadow a07be1d2', 'a bundle together with a policy'],
    ['--shadow none', 'no candidate any more'],
  ],
  run: async ({ running, shadow, ...values }, operands, context) => {
    assertGoTogether({ running, shadow }, operands)
    if (shadow.length > 0) return runControl(values, context, await shadowing(shadow))
    assertPrefixes(operands)
    return runControl(values, context, ({ registry }) => ({
      type: 'versions.activated',
      versions: resolveVersions(operands, registry.documents()),
      running,
    }))
  },
})

interface ActivateOptions {
  readonly running: boolean
  readonly shadow: readonly string[]
}

function assertGoTogether({ running, shadow }: ActivateOptions, operands: readonly string[]): void {
  if (shadow.length === 0 && operands.length === 0)
    throw new PlimsollError('usage_invalid', 'VERSION is missing')
  if (shadow.length > 0 && (running || operands.length > 0))
    throw new PlimsollError(
      'usage_invalid',
      '`--shadow` activates nothing: neither a VERSION nor `--running` goes with it',
    )
}

/** The change that runs in shadow what `given` names, versions and files; the files are published first. */
async function shadowing(given: readonly string[]): Promise<ChangeFor> {
  if (given.includes('none')) {
    if (given.length > 1)
      throw new PlimsollError('usage_invalid', '`--shadow none` takes no other candidate beside it')
    return () => ({ type: 'shadow.changed' })
  }
  const prefixes = given.filter((each) => !isFile(each))
  assertPrefixes(prefixes)
  const documents = await readDocuments(given.filter(isFile))
  return async ({ registry, log, topics }, signal) => {
    if (documents.length > 0)
      await publishDocuments(documents, { log, topic: topics.registry, registry, signal })
    const versions = [...prefixes, ...documents.map(({ version }) => version)]
    return { type: 'shadow.changed', candidate: resolveVersions(versions, registry.documents()) }
  }
}

const isFile = (given: string): boolean => /[./\\]/.test(given)
