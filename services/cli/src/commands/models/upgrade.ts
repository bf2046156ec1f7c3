import { ENGINE_VERSION } from '@plimsoll/engine'
import { TOPIC_RECORDS_MAX } from '@plimsoll/fit'
import { type EngineDiff, type TopicUpgrade, type UpgradeExample, upgradeOfTopic } from '@plimsoll/measure'
import { readRuleDocuments } from '@plimsoll/monitor'
import { createRulesCache } from '@plimsoll/policy'
import { openRegistry } from '@plimsoll/runtime'
import type { Context, ExitCode } from '../../command.js'
import { configOf, openLog, within } from '../../deployment.js'
import { createProgress } from '../../format/progress.js'
import { jsonLine, plainText } from '../../format/text.js'
import { topicSettings } from './what-if.js'

export interface UpgradeOptions {
  /** How far back the log is read, milliseconds; default: all of it. */
  readonly since: number | undefined
  readonly limit: number | undefined
  readonly json: boolean
}

/** Steps that are shown of each pair of verdicts under each engine. */
const EXAMPLES_MAX = 3

/** Shows which recorded verdicts this release would change. */
export async function upgrade(
  { since, limit, json }: UpgradeOptions,
  { env, stdout, stderr, signal }: Context,
): Promise<ExitCode> {
  const config = configOf(topicSettings, env)
  const progress = createProgress(stderr, 'upgrade')
  const comparing = within(async (onRelease) => {
    const { log, topics } = openLog(config, onRelease)
    await log.ping()
    const { signingKey } = config
    const registry = await openRegistry({ log, topic: topics.registry, signingKey, watch: false, signal })
    onRelease(() => registry.close())
    const { rules } = createRulesCache({
      defaults: await readRuleDocuments(config),
      document: (version) => registry.document(version),
    })
    return upgradeOfTopic({
      log,
      topics,
      signingKey,
      rulesOf: ({ bundle, policy, catalogue }) => rules({ bundle, policy, catalogue }),
      fromMs: since === undefined ? undefined : Date.now() - since,
      recordsMax: TOPIC_RECORDS_MAX,
      limit,
      examplesMax: EXAMPLES_MAX,
      onProgress: (share, sessions, steps) => progress.update(share, `${sessions} sessions, ${steps} steps`),
      signal,
    })
  })
  const compared = await comparing.finally(() => progress.end())
  stdout.write(json ? jsonLine({ engine: ENGINE_VERSION, ...compared }) : upgradeText(compared))
  if (signal.aborted) stderr.write('interrupted: some sessions were not compared\n')
  return signal.aborted ? 1 : 0
}

/** For a human. */
export function upgradeText({ engines, leftOut, records, unread, notKept }: TopicUpgrade): string {
  const { unpinned, moved, withoutStart } = leftOut
  const left = unpinned + moved + withoutStart + notKept
  const lines = [
    `new: engine ${ENGINE_VERSION}; ${records} records (${unread} not read); left out: ${left} decided steps (${unpinned} pinned to documents that the registry lacks, ${moved} of sessions that moved to other documents, ${withoutStart} of sessions that started earlier, ${notKept} beyond what is kept)`,
    ...(engines.length === 0 ? ['no recorded decisions to compare'] : engines.flatMap(engineLines)),
  ]
  return lines.map((line) => `${plainText(line)}\n`).join('')
}

function engineLines({ engine, sessions, steps, changed, otherReasons, verdicts, examples }: EngineDiff) {
  const other = `${otherReasons} more would get the same verdict for other reasons`
  const what =
    changed.steps === 0
      ? `no verdict would change: ${steps} steps of ${sessions} sessions; ${otherReasons} for other reasons`
      : `${changed.steps} of ${steps} steps would get another verdict, in ${changed.sessions} of ${sessions} sessions; ${other}`
  return [
    `decided by engine ${engine}: ${what}`,
    ...verdicts.map(({ from, to, steps: count }) => `  ${from} → ${to}: ${count}`),
    ...examples.flatMap(exampleLines),
  ]
}

function exampleLines({ session, step, tool, from, to }: UpgradeExample): string[] {
  const codes = ({ reasons }: UpgradeExample['from']) =>
    reasons.map(({ source, code, verdict }) => `${source} ${code} (${verdict})`).join(', ') || 'no reasons'
  return [
    `  ${session}, step ${step}, ${tool}: ${from.verdict} → ${to.verdict}`,
    `    recorded: ${codes(from)}`,
    `    now: ${codes(to)}`,
  ]
}
