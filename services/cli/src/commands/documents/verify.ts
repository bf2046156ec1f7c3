import { writeFile } from 'node:fs/promises'
import { type Catalogue, type Policy, CAPABILITIES } from '@plimsoll/contracts'
import { type Claims, readDocument, toAlloy } from '@plimsoll/policy'
import { assertWritable } from '../../assert-writable.js'
import { choice, defineCommand, flag, integer, json, text, words } from '../../command.js'
import { jsonLine } from '../../format/text.js'
import { catalogueOf, toolsOptions } from './tools-from.js'
import { hazardOutcomes, isAccepted, verificationText } from './verification-text.js'
import { verifyApart } from './verify-apart.js'

/** Abstract states that a search may reach. */
const STATES = 200_000
/** Default transitions of a module: enough for a hazard of a few steps, and seconds of the Analyzer. */
const ALLOY_DEPTH = 6

export const verify = defineCommand({
  name: 'verify',
  summary: 'proves that a policy prevents its hazards, or shows a run that reaches one',
  description:
    'Explores everything that sessions can do with the tools of a catalogue, by the decision core itself, for all arguments, evidence, predictions and results. Shows which hazards no run reaches, and a shortest run to each of the others. Checks that goals stay within reach, that no agent gets stuck, and that each spec has an effect. What that proves, and what it assumes: docs/explanation/verification.md. Exit code 0 if all goals are within reach, no agent can get stuck, and each hazard is proved, is the end of a session with an alert, or is never stated. --only-proved accepts proofs alone. Otherwise 1.',
  operands: [['<POLICY>', 'the file of the policy']],
  options: {
    ...toolsOptions,
    claims: choice(
      ['none', 'results', 'any'],
      'what clients may report beyond the catalogue: nothing, labels of results, or also stronger labels of steps',
      'results',
    ),
    depth: integer('N', 'explores only runs of up to so many transitions', { min: 1, max: 100 }),
    failOpen: words(
      'CAPABILITY',
      CAPABILITIES,
      'steps of these run without a verdict, as with clients that fail open',
    ),
    allowApprovals: flag('accepts a hazard that is reached only if a human approves'),
    onlyProved: flag(
      'accepts no hazard that is reached with an alert or never stated: exit code 0 means that all are proved',
    ),
    allowPredictionStop: flag('accepts that the most severe prediction can block every step'),
    alloy: text(
      'FILE',
      `also writes a module for the Alloy Analyzer, for sessions of --depth transitions, else ${ALLOY_DEPTH}`,
    ),
    json,
  },
  examples: [
    ['policy.yaml --tools catalogue.yaml', 'everything, in words'],
    ['policy.yaml --tools catalogue.yaml --allow-approvals --json', 'in a pipeline'],
    ['policy.yaml --tools catalogue.yaml --alloy policy.als', 'with a module for the Alloy Analyzer'],
  ],
  async run(options, [file = ''], { stdout, stderr, signal }) {
    const { claims, depth, alloy, json } = options
    if (alloy !== undefined) await assertWritable(alloy)
    const [policy, catalogue] = await Promise.all([readDocument('policy', file), catalogueOf(options)])
    if (alloy !== undefined) await writeFile(alloy, moduleOf(policy, catalogue, claims, depth))
    const started = performance.now()
    const report = await verifyApart(
      {
        policy,
        catalogue,
        states: STATES,
        claims,
        failOpen: options.failOpen,
        ...(depth !== undefined && { depth }),
      },
      signal,
    )
    if (!report) {
      stderr.write('interrupted: nothing was verified\n')
      return 1
    }
    const accepts = {
      approvals: options.allowApprovals,
      onlyProved: options.onlyProved,
      predictionStop: options.allowPredictionStop,
    }
    const seconds = (performance.now() - started) / 1000
    const ok = isAccepted(report, accepts)
    stdout.write(
      json
        ? jsonLine({ ok, outcomes: hazardOutcomes(report, accepts), ...report, seconds })
        : verificationText(report, { ok, seconds, ...accepts }),
    )
    return ok ? 0 : 1
  },
})

/** Of the claims, the module models those that depend on arguments. */
const moduleOf = (policy: Policy, catalogue: Catalogue, claims: Claims, depth = ALLOY_DEPTH): string =>
  toAlloy(policy, catalogue, { depth, arguments: claims !== 'none' }).text
