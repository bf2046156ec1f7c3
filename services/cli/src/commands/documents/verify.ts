import { writeFile } from 'node:fs/promises'
import { type Catalogue, type Policy, CAPABILITIES } from '@plimsoll/contracts'
import { type Claims, readDocument, toAlloy } from '@plimsoll/policy'
import { assertWritable } from '../../assert-writable.js'
import { defineCommand, choice, flag, integer, json, text, words } from '../../command.js'
import { jsonLine } from '../../format/text.js'
import { isAccepted, verificationText } from './verification-text.js'
import { verifyApart } from './verify-apart.js'

/** Abstract states that a search may reach. */
const STATES = 200_000
/** Moves of a module where nothing else is said: enough for a hazard of a few steps, and seconds of the Analyzer. */
const ALLOY_DEPTH = 6

export const verify = defineCommand({
  name: 'verify',
  summary:
    'explores what the engine makes of a policy: proves its hazards out of reach, or shows the run that gets there',
  description:
    'Goes through all that sessions can do with the tools of a catalogue, by the decision core itself: whatever arguments, evidence, prediction and results say. Shows which hazards no run reaches, a shortest run to those that one does, that goals stay within reach, that no agent comes to a stand, and specs that never do what they are for. What that proves, and what it takes for granted: docs/explanation/verification.md. Exit code 1 where a hazard is not proved, a goal is out of reach or an agent can come to a stand.',
  operands: [['<POLICY>', 'the file of the policy']],
  options: {
    tools: text(
      'CATALOGUE',
      'the tools that agents have, labelled, this file alone; those of the catalogues that ship if left out',
    ),
    claims: choice(
      ['none', 'results', 'any'],
      'what clients may say beyond the catalogue: nothing, what results turn out to be, or of steps too that they do more',
      'results',
    ),
    depth: integer('N', 'looks at runs of up to so many moves alone', { min: 1, max: 100 }),
    failOpen: words(
      'CAPABILITY',
      CAPABILITIES,
      'steps of these may run without a verdict, as clients let them that fail open; none if left out',
    ),
    allowApprovals: flag('takes a hazard that only a human can let happen for held'),
    allowPredictionStop: flag('takes it for no fault that prediction at its harshest can block every step'),
    alloy: text(
      'FILE',
      `writes the same as a module for the Alloy Analyzer too, of sessions of --depth moves, else ${ALLOY_DEPTH}`,
    ),
    json,
  },
  examples: [
    ['policy.yaml --tools catalogue.yaml', 'everything, in words'],
    ['policy.yaml --tools catalogue.yaml --allow-approvals --json', 'in a pipeline'],
    [
      'policy.yaml --tools catalogue.yaml --alloy policy.als',
      'to be looked at by the Alloy Analyzer as well',
    ],
  ],
  async run(options, [file = ''], { stdout, stderr, signal }) {
    const { tools, claims, depth, alloy, json } = options
    if (alloy !== undefined) await assertWritable(alloy)
    const [policy, catalogue] = await Promise.all([
      readDocument('policy', file),
      readDocument('catalogue', tools),
    ])
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
      predictionStop: options.allowPredictionStop,
    }
    const seconds = (performance.now() - started) / 1000
    const ok = isAccepted(report, accepts)
    stdout.write(
      json ? jsonLine({ ok, ...report, seconds }) : verificationText(report, { ok, seconds, ...accepts }),
    )
    return ok ? 0 : 1
  },
})

/** Of what clients may claim, the module knows what arguments make of a step. */
const moduleOf = (policy: Policy, catalogue: Catalogue, claims: Claims, depth = ALLOY_DEPTH): string =>
  toAlloy(policy, catalogue, { depth, arguments: claims !== 'none' }).text
