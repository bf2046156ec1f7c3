import { type GivenAppeal, EXPECTED_VERDICTS, PlimsollError, parseDecisionId } from '@plimsoll/contracts'
import { appealDecision } from '@plimsoll/operations'
import type { Environment } from '@plimsoll/runtime'
import { defaultApprover, gatewayPlace } from '../../approval-places.js'
import { appealHere } from '../../appeals-file.js'
import { defineCommand, environmentOf, maybeChoice, text } from '../../command.js'
import { configOf, openLog, signedSettings, within } from '../../deployment.js'
import { plainText } from '../../format/text.js'
import { placeSettings } from './approvals.js'

export const appeal = defineCommand({
  name: 'appeal',
  summary: 'records that a decision was wrong',
  description:
    'Writes a signed record with what replays the decision: its step, reasons and versions. It changes no verdict: `plimsoll observed` counts it, `sessions show` shows it, and a fit takes a harmful step as the truth. Finds the decision on this machine (`plimsoll hook`, `plimsoll mcp`), at the gateway of `PLIMSOLL_GATEWAY_URL` with a key that may approve, or else over Kafka. To run the step, approve it; to have it judged otherwise, change catalogue or policy.',
  operands: [['<DECISION_ID>', 'the id of the decision']],
  options: {
    expected: maybeChoice(
      EXPECTED_VERDICTS,
      'what it should have been: `block` if the step did harm; default: `allow` for what was stopped or asked about, else `block`',
    ),
    by: text('NAME', 'who appeals; default: your user name'),
    reason: text('TEXT', 'why, for the record'),
  },
  environment: environmentOf({ ...signedSettings, ...placeSettings }),
  examples: [
    ["'s-1#e-9#step' --reason 'these are build files'", 'it asked for nothing'],
    ["'s-1#e-9#step' --expected block --reason 'it deleted the backups'", 'it should have been stopped'],
  ],
  async run({ expected, by = defaultApprover(), reason }, operands, { env, stdout, signal }) {
    // Some shells pass the quotes of the command in the answer on.
    const decisionId = (operands[0] ?? '').replace(/^'(.*)'$/, '$1')
    if (parseDecisionId(decisionId) === undefined)
      throw new PlimsollError('usage_invalid', `\`${decisionId}\` is no decision id`)
    const given: GivenAppeal = { expected, by, reason }
    const done = (where: string): 0 => {
      stdout.write(
        plainText(`${where}: decision ${decisionId} was wrong, to ${by}; no verdict changes`) + '\n',
      )
      return 0
    }
    if (await appealHere(decisionId, given, env)) return done('recorded on this machine')
    const gateway = gatewayPlace(env)
    if (gateway && (await isTakenBy(gateway, { decisionId, expected, reason }, env)))
      return done(`published by ${gateway.name}`)
    assertKafka(decisionId, env)
    const config = configOf(signedSettings, env)
    await within(async (onRelease) => {
      const { log, topics } = openLog(config, onRelease)
      await log.ping()
      const { signingKey } = config
      const place = { log, topics, signingKey, producer: 'plimsoll-cli', now: Date.now }
      await appealDecision(place, decisionId, given, { signal })
    })
    return done('published')
  },
})

/** False if the gateway does not have the decision, and Kafka can be asked. */
async function isTakenBy(
  gateway: NonNullable<ReturnType<typeof gatewayPlace>>,
  appeal: Parameters<typeof gateway.appeal>[0],
  env: Environment,
): Promise<boolean> {
  try {
    await gateway.appeal(appeal)
    return true
  } catch (error) {
    if (hasKafka(env) && error instanceof PlimsollError && error.code === 'approval_unknown') return false
    throw error
  }
}

const hasKafka = (env: Environment): boolean =>
  env['KAFKA_BROKERS'] !== undefined || env['PLIMSOLL_SIGNING_KEY'] !== undefined

/** Throws `approval_unknown`, naming the places, where nothing says how to reach a deployment. */
function assertKafka(decisionId: string, env: Environment): void {
  if (hasKafka(env)) return
  throw new PlimsollError(
    'approval_unknown',
    `no decision \`${decisionId}\` on this machine, where only what was stopped or asked is kept (with \`--record\`, every decision). For a gateway set \`PLIMSOLL_GATEWAY_URL\` and \`PLIMSOLL_API_KEY\` of a principal that may approve; for Kafka set \`KAFKA_BROKERS\` and \`PLIMSOLL_SIGNING_KEY\``,
  )
}
