import { PlimsollError } from '@plimsoll/contracts'
import { type Erased, eraseEntries, proofSettings, readSigningKey } from '@plimsoll/proof'
import { defineCommand, environmentOf, json, requiredText, text } from '../../command.js'
import { configOf } from '../../deployment.js'
import { jsonLine, plainText } from '../../format/text.js'

const { folder, keyFile } = proofSettings
const settings = { folder, keyFile }

export const proofErase = defineCommand({
  name: 'proof erase',
  summary: 'erases records of a person from the proof files, which verify afterwards',
  description:
    'Deletes the bodies and salts of entries, adds an entry that says how many, by whom and why, and signs it. Their hashes stay; without the salts they say nothing. Stop the recorder first. Receipts, backups and the topics keep what they have.',
  options: {
    session: text('ID', 'the records of a session'),
    agent: text('NAME', 'those of the sessions that began with this agent'),
    user: text('NAME', 'those of the sessions whose token names this user'),
    approver: text('NAME', 'the answers of this approver, and the decisions that name them'),
    tenant: text('NAME', 'the tenant of the agent, user or approver; default: `default`'),
    by: requiredText('NAME', 'who erases, for the record'),
    reason: text('TEXT', 'why, for the record; it names nobody'),
    json,
  },
  environment: environmentOf(settings),
  examples: [
    ["--session acme~run-7 --by ines --reason 'request 42'", 'one session'],
    ['--user maria --tenant acme --by ines', 'every session that an agent ran for maria'],
  ],
  async run(options, _operands, { env, stdout }) {
    const { by, reason, json } = options
    const config = configOf(settings, env)
    const key = await readSigningKey(config.keyFile)
    const erased = await eraseEntries({
      folder: config.folder,
      key,
      whose: whoseOf(options),
      by,
      reason,
      nowMs: Date.now(),
    })
    const { entries, sessions } = erased
    stdout.write(
      json
        ? jsonLine(erased)
        : entries === 0
          ? `nothing to erase in ${plainText(config.folder)}\n`
          : `erased ${entries} entries of ${sessions} sessions\n`,
    )
    return 0
  },
})

interface Choice {
  readonly session: string | undefined
  readonly agent: string | undefined
  readonly user: string | undefined
  readonly approver: string | undefined
  readonly tenant: string | undefined
}

function whoseOf({ session, agent, user, approver, tenant }: Choice): Erased {
  if ([session, agent, user, approver].filter((each) => each !== undefined).length !== 1)
    throw new PlimsollError('usage_invalid', 'give one of `--session`, `--agent`, `--user` and `--approver`')
  if (session !== undefined && tenant !== undefined)
    throw new PlimsollError('usage_invalid', 'the id of a session names its tenant: leave `--tenant` out')
  if (session !== undefined) return { session }
  const of = { tenant: tenant ?? 'default' }
  if (agent !== undefined) return { ...of, agent }
  return user !== undefined ? { ...of, user } : { ...of, approver: approver ?? '' }
}
