import { PlimsollError } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import {
  type ControlChange,
  type ControlChannel,
  assertPrefixes,
  controlStatuses,
  openControlChannel,
  partitionsOf,
  publishDocuments,
  readDocuments,
  resolveVersions,
  sendControl,
} from '@plimsoll/operations'
import {
  type ConfigOf,
  type OnRelease,
  consumerGroup,
  kafkaSettings,
  openRegistry,
  setting,
} from '@plimsoll/runtime'
import {
  type Command,
  type Context,
  type ExitCode,
  type Values,
  defineCommand,
  environmentOf,
  flag,
  integer,
  json,
  list,
  requiredText,
  text,
} from '../../command.js'
import { configOf, inTime, openLog, reportRefusals, signedSettings, within } from '../../deployment.js'
import { historyText, sentText, statusText, withoutEnvelope } from './control-text.js'
import { jsonLine } from '../../format/text.js'

const controlSettings = {
  ...signedSettings,
  user: setting.text({ env: 'USER', doc: 'Who makes the change, if `--by` is not given.' }),
}
const environment = environmentOf(controlSettings)

const changeOptions = {
  reason: text('TEXT', 'why, for the record'),
  by: text('NAME', 'who makes the change; default $USER'),
  wait: integer('SECONDS', 'how long to wait for the answers of all partitions', {
    min: 1,
    max: 3_600,
    default: 30,
  }),
  json,
}

const WAITS =
  'Waits for the answer of every partition, and fails if one refuses or does not answer. Run it again to complete it.'

/** What changes; who changes it and why comes from the options. */
type Change = ChangeOf<ControlChange>
type ChangeOf<C> = C extends ControlChange ? Omit<C, 'by' | 'reason'> : never
type ChangeFor = (channel: ControlChannel, signal: AbortSignal) => Change | Promise<Change>

/** Sends the change that `changeFor` makes and shows the answers. Fails if a partition refused it or did not answer. */
async function change(
  { by, reason, wait, json }: Values<typeof changeOptions>,
  context: Context,
  changeFor: ChangeFor,
): Promise<ExitCode> {
  const { stdout, stderr, signal } = context
  const config = configOf(controlSettings, context.env)
  const who = { by: operatorOf(by, config.user), ...(reason !== undefined && { reason }) }
  return within(async (onRelease) => {
    const channel = await openChannel(config, context, onRelease)
    const wanted = { ...(await changeFor(channel, signal)), ...who }
    const sent = await sendControl(channel, wanted, wait * 1000, signal)
    const { text, failures } = sentText(sent, { waitSeconds: wait, group: channel.group })
    const figures = { control: withoutEnvelope(sent.control), partitions: sent.outcomes }
    stdout.write(json ? jsonLine(figures) : text)
    for (const failure of failures) stderr.write(`plimsoll: ${failure}\n`)
    return failures.length > 0 ? 1 : 0
  })
}

/** Who makes a change. Throws `usage_invalid` if that is not known. */
export function operatorOf(by: string | undefined, user: string | undefined): string {
  const name = by ?? user
  if (name === undefined)
    throw new PlimsollError('usage_invalid', 'USER is not set: name who makes the change with `--by`')
  return name
}

/** Opened before anything is sent; see `openControlChannel`. */
async function openChannel(
  config: ConfigOf<typeof controlSettings>,
  { stderr, signal }: Context,
  onRelease: OnRelease,
): Promise<ControlChannel> {
  const { log, topics } = openLog(config, onRelease)
  const { signingKey, topicPrefix } = config
  const group = consumerGroup(topicPrefix, 'monitor')
  // A tail would wait without end for a log that is away.
  await log.ping()
  const onRefused = reportRefusals(stderr, onRelease)
  const options = { log, topics, signingKey, group, now: Date.now, onRefused }
  const channel = await inTime(signal, [topics.registry], (signal) =>
    openControlChannel({ ...options, signal }),
  )
  onRelease(() => channel.registry.close())
  return channel
}

const activate = defineCommand({
  name: 'control activate',
  summary: 'has sessions judged by other published documents, or runs a candidate in shadow',
  description: `New sessions are judged by these versions; a kind of document that you do not name stays as it is. To roll back, activate the earlier version. Running sessions keep their versions unless \`--running\` moves them, each before its next event. With \`--shadow\` a candidate judges each step as well: no verdict depends on it, and metrics and the shadow topic show where the two differ. ${WAITS}`,
  operands: [['[VERSION...]', 'a published version, or its first 8 digits or more; one of a kind']],
  options: {
    running: flag('moves running sessions too'),
    shadow: list(
      'VERSION',
      'a bundle, policy or catalogue to run in shadow instead: a published version, or a file, which is published first; `none` ends the shadow run',
    ),
    ...changeOptions,
  },
  environment,
  examples: [
    ['3f2a91c4', 'for new sessions'],
    ["3f2a91c4 --running --reason 'leak in the mail tool'", 'an urgent policy, for all sessions'],
    ['--shadow policy.yaml', 'a policy that is not published yet, beside the active one'],
    ['--shadow none', 'ends the shadow run'],
  ],
  async run({ running, shadow, ...values }, versions, context) {
    if (shadow.length === 0 && versions.length === 0)
      throw new PlimsollError('usage_invalid', 'name a VERSION; `plimsoll control show` lists them')
    if (shadow.length > 0 && (running || versions.length > 0))
      throw new PlimsollError('usage_invalid', '`--shadow` activates nothing: omit VERSION and `--running`')
    if (shadow.length > 0) return change(values, context, await shadowChange(shadow))
    assertPrefixes(versions)
    return change(values, context, ({ registry }) => ({
      type: 'versions.activated',
      versions: resolveVersions(versions, registry.documents()),
      running,
    }))
  },
})

/** The change that runs versions and files in shadow; files are published first. */
async function shadowChange(given: readonly string[]): Promise<ChangeFor> {
  if (given.includes('none')) {
    if (given.length > 1)
      throw new PlimsollError('usage_invalid', '`--shadow none` takes no other candidate beside it')
    return () => ({ type: 'shadow.changed' })
  }
  const isFile = (name: string): boolean => /[./\\]/.test(name)
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

const MODES = ['enforce', 'observe', 'inherit'] as const

const mode = defineCommand({
  name: 'control mode',
  summary: 'sets whether agents wait for verdicts: enforce or observe, for the fleet, a tenant or an agent',
  description: `With \`observe\` verdicts are published and every step runs. \`inherit\` removes a setting. The most specific setting counts: agent of a tenant, agent, tenant, fleet. The default is \`enforce\`; a stop holds in either mode. ${WAITS}`,
  operands: [['<MODE>', MODES.join(', ')]],
  options: {
    tenant: text('TENANT', 'only sessions of this tenant'),
    agent: text('AGENT', 'only sessions of this agent'),
    ...changeOptions,
  },
  environment,
  examples: [
    ['observe', 'observes the whole fleet'],
    ["observe --tenant acme --agent mailer --reason 'trial run'", 'one agent of one tenant'],
    ['inherit --tenant acme --agent mailer', 'removes that setting'],
  ],
  run({ tenant, agent, ...values }, [given], context) {
    const mode = MODES.find((each) => each === given)
    if (!mode)
      throw new PlimsollError('usage_invalid', `MODE is one of ${MODES.join(', ')}, not \`${given}\``)
    return change(values, context, () => ({
      type: 'mode.changed',
      mode,
      ...(tenant !== undefined && { tenant }),
      ...(agent !== undefined && { agent }),
    }))
  },
})

const tenant = text('TENANT', 'only the sessions of this tenant')

const stop = defineCommand({
  name: 'control stop',
  summary: 'blocks every step that is proposed from now on, of the fleet or of a tenant',
  description: `Blocks in observe mode too, until \`plimsoll control resume\` with the same \`--tenant\`. Steps that were allowed before may still run; steps that agents run without asking are not held. ${WAITS}`,
  options: { ...changeOptions, tenant, reason: requiredText('TEXT', 'why; agents get it with each block') },
  environment,
  examples: [
    ["--reason 'the mail tool leaks'", 'the whole fleet'],
    ["--tenant acme --reason 'requested by acme'", 'one tenant'],
  ],
  run: ({ tenant, ...values }, _operands, context) =>
    change(values, context, () => ({ type: 'fleet.stopped', ...(tenant !== undefined && { tenant }) })),
})

const resume = defineCommand({
  name: 'control resume',
  summary: 'lifts a stop, of the fleet or of a tenant',
  description: `Lifts the stop with the same \`--tenant\`, or the one without: the stop of a tenant remains when the fleet resumes. Blocked steps do not run: agents propose them again. ${WAITS}`,
  options: { ...changeOptions, tenant },
  environment,
  examples: [
    ["--reason 'fixed'", 'the stop of the fleet'],
    ['--tenant acme', 'the stop of one tenant'],
  ],
  run: ({ tenant, ...values }, _operands, context) =>
    change(values, context, () => ({ type: 'fleet.resumed', ...(tenant !== undefined && { tenant }) })),
})

const showSettings = { ...kafkaSettings, signingKey: monitorSettings.signingKey }

const show = defineCommand({
  name: 'control show',
  summary: 'shows active versions, modes and stops, with who changed them, when and why',
  description:
    'Shows the last report of each partition, and the published documents. Names the partitions that differ, and those without the latest change. With PLIMSOLL_SIGNING_KEY it detects forged records; without it signatures are not checked.',
  options: { history: flag('every change, the oldest first'), json },
  environment: environmentOf(showSettings),
  examples: [
    ['', 'the present status'],
    ['--history', 'the audit: who changed what, when and why'],
  ],
  async run({ history, json }, _operands, { env, stdout, stderr, signal }) {
    const config = configOf(showSettings, env)
    const text = await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease)
      const registry = await openRegistry({
        log,
        topic: topics.registry,
        signingKey: config.signingKey,
        watch: false,
        onRefused: reportRefusals(stderr, onRelease),
        signal,
      })
      const status = controlStatuses(registry, (await partitionsOf(log, topics.events)).length)
      if (!json) return history ? historyText(registry.controls()) : statusText(status, registry)
      return jsonLine({
        statuses: status.statuses,
        stragglers: status.stragglers,
        documents: registry
          .documents()
          .map(({ kind, version, document }) => ({ kind, version, name: document.name })),
        ...(history && { history: registry.controls().map(withoutEnvelope) }),
      })
    })
    stdout.write(text)
    return 0
  },
})

export const control: readonly Command[] = [show, activate, mode, stop, resume]
