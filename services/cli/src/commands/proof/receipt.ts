import { stat } from 'node:fs/promises'
import { type Decision, PlimsollError } from '@plimsoll/contracts'
import {
  type ProvedStep,
  type WantedStep,
  FLEET_TREE,
  checkReceipt,
  fileOf,
  makeReceipt,
  readPublicKey,
  tenantOfStep,
} from '@plimsoll/proof'
import { defineCommand, json, requiredText } from '../../command.js'
import { jsonLine, leftTable, timeText } from '../../format/text.js'
import { readBounded } from './read-bounded.js'
import { keyOption } from './verify.js'

export const proofReceipt = defineCommand({
  name: 'proof receipt',
  summary: 'writes the receipt of a step',
  description:
    'The receipt proves by itself who ran what, under which policy and bundle, what the verdict was, and who approved it. `plimsoll proof check` needs it and the public key, nothing else. It has the records as they are in the log. Write it to a file: `> receipt.json`.',
  operands: [
    ['<DECISION|SESSION>', 'the id of a decision on the step, or its session'],
    ['[STEP]', 'with a session: the number of the step, as `plimsoll sessions show` prints it'],
  ],
  options: {
    from: requiredText('PATH', 'the folder of proof files, or the file of the tenant'),
    ...keyOption,
  },
  examples: [
    ['acme~run-7 3 --from proofs --key proof.pem.pub', 'the third step of a session'],
    ['acme~run-7#e-12#step --from proofs/acme.ndjson --key proof.pem.pub', 'the step of a decision'],
  ],
  async run({ from, key: keyFile }, [named = '', step], { stdout }) {
    const wanted = wantedStep(named, step)
    const key = await readPublicKey(keyFile)
    const file = await fileIn(from, tenantOfStep(wanted))
    stdout.write(jsonLine(await makeReceipt(file, wanted, key)))
    return 0
  },
})

function wantedStep(named: string, step: string | undefined): WantedStep {
  if (named.includes('#')) {
    if (step === undefined) return { decision: named }
    throw new PlimsollError('usage_invalid', 'the id of a decision names its step: leave the number out')
  }
  if (step !== undefined && /^[1-9]\d{0,8}$/.test(step)) return { session: named, step: Number(step) }
  throw new PlimsollError('usage_invalid', 'after a session, give the number of a step')
}

async function fileIn(from: string, tenant: string): Promise<string> {
  if (!(await stat(from).catch(() => undefined))?.isDirectory()) return from
  const own = fileOf(from, tenant)
  if (await stat(own).catch(() => undefined)) return own
  // Tenants beyond the limit of trees are in the fleet's.
  return fileOf(from, FLEET_TREE)
}

export const proofCheck = defineCommand({
  name: 'proof check',
  summary: 'shows what a receipt proves',
  description:
    'Works offline. Checks the signature of the checkpoint, that each record is in its tree, and that all are about one step. What it prints comes from those records alone.',
  operands: [['<RECEIPT>', 'the file of a receipt']],
  options: { ...keyOption, json },
  examples: [['receipt.json --key proof.pem.pub', 'who ran what, and who approved it']],
  async run({ key: keyFile, json }, [file = ''], { stdout }) {
    const key = await readPublicKey(keyFile)
    const proved = checkReceipt(await readBounded(file), key)
    stdout.write(json ? jsonLine(proved) : provedText(proved))
    return 0
  },
})

function provedText({ decision, starts, answers, outcomes, checkpoint }: ProvedStep): string {
  const { sessionId, tenant, tool, argumentsDigest, callId, step, time, versions } = decision
  const rows: (readonly [string, string])[] = [
    ['session', `${sessionId}, of tenant ${tenant}`],
    ...starts.map((start) => ['who', whoText(start)] as const),
    ['step', `${step}, call ${callId}, ${timeText(time)}`],
    ['what', `${tool}, arguments ${argumentsDigest}`],
    ['verdict', verdictText(decision)],
    ...reasonRows(decision),
    ...answers.map(
      ({ by, resolution, scope, timeMs, reason }) =>
        [
          resolution,
          `by ${by}, ${scope}, ${timeText(timeMs)}${reason === undefined ? '' : `: ${reason}`}`,
        ] as const,
    ),
    ...outcomes.flatMap((outcome) => [['then', verdictText(outcome)] as const, ...reasonRows(outcome)]),
    ...Object.entries(versions ?? {}),
    [
      'signed',
      `${timeText(checkpoint.time)}, by key ${checkpoint.key.slice(0, 16)}…, with ${checkpoint.size} entries`,
    ],
  ]
  return leftTable(rows)
}

const whoText = ({ agent, principal, user, identity }: ProvedStep['starts'][number]): string =>
  [
    `agent ${agent ?? 'unnamed'}`,
    ...(principal === undefined ? [] : [`of ${principal}`]),
    ...(user === undefined ? [] : [`for ${user}`]),
    identity === 'verified' ? '(by a verified token)' : '(as it said itself)',
  ].join(' ')

const verdictText = ({ verdict, mode }: Decision): string =>
  mode === 'observe' ? `${verdict}, observed only` : verdict

const reasonRows = ({ reasons }: Decision): readonly (readonly [string, string])[] =>
  reasons.map(({ message, liftedBy }) => [
    '',
    liftedBy === undefined ? message : `${message} (lifted by ${liftedBy})`,
  ])
