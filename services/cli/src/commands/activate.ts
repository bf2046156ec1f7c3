import { PlimsollError } from '@plimsoll/contracts'
import { defineCommand } from '../command.js'
import { controlOptions } from '../control/options.js'
import { publishDocuments, readDocuments } from '../control/publish-documents.js'
import { assertPrefixes, resolveVersions } from '../control/resolve-versions.js'
import { runControl, type ChangeFor } from '../control/run-control.js'
import { controlSettings } from '../control/settings.js'
import { environmentOf } from '../environment.js'

export const activate = defineCommand({
  name: 'activate',
  summary: 'has sessions judged by other published documents; an earlier version is the roll-back',
  description: [
    'New sessions are judged by these versions; a kind of document that is not named stays as it is. Sessions that run go on with what',
    'they began with, unless `--running` moves them: each then moves before its next event is judged.',
    'With `--shadow` nothing is activated: each proposal is judged by that bundle, policy or catalogue as well, no verdict depends on it, and',
    'metrics and the topic of the shadow tell where the two differ. A file is published first. One candidate runs in shadow at a time.',
    'Waits for what every partition makes of it, and fails where one refuses it or tells nothing. Given again it makes good what is left.',
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

interface Given {
  readonly running: boolean
  readonly shadow: readonly string[]
}

function assertGoTogether({ running, shadow }: Given, operands: readonly string[]): void {
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
