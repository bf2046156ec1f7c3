import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import {
  createLabeller,
  LABEL_NAMES,
  valueOf,
  worseBy,
  type LabelName,
  type ToolLabelling,
} from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import { findTraces } from '@plimsoll/fit'
import { projectRoot } from '../../support/paths.js'
import { runCli } from '../cli-process.js'
import { HAND_LABELLED, type HandLabelled } from './hand-labelled.js'
import { DUMMY_TOKEN, officialServer } from './mcp-servers.js'

const folder = findTraces(process.env, projectRoot)
const skip =
  folder === undefined &&
  'no recorded sessions at PLIMSOLL_TRACES or ../shared/traces: proposals are held against the servers alone'

interface Proposed {
  readonly labellings: readonly ToolLabelling[]
  readonly seconds: number
}

interface Tally {
  tools: number
  /** All four labels equal the hand-written ones. */
  right: number
  /** A label is milder than the hand-written one: the dangerous error. */
  milder: number
  readonly byLabel: Record<LabelName, number>
}

const newTally = (): Tally => ({
  tools: 0,
  right: 0,
  milder: 0,
  byLabel: { capability: 0, confidentiality: 0, trust: 0, reversibility: 0 },
})

const proposals = new Map<HandLabelled, Promise<Proposed>>()

/** The command's proposals for `set`, computed once. */
function proposalsFor(set: HandLabelled): Promise<Proposed> {
  const known = proposals.get(set) ?? askFor(set)
  proposals.set(set, known)
  return known
}

async function askFor({ server, list }: HandLabelled): Promise<Proposed> {
  const source = server
    ? ['--env', 'GITHUB_PERSONAL_ACCESS_TOKEN', '--', ...officialServer(server)]
    : ['--set', list ?? '', path.join(folder ?? '', 'tools.json')]
  const { code, stdout, stderr } = await runCli(['label', '--json', ...source], { env: DUMMY_TOKEN })
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout) as Proposed
}

/** Counts into `tallies` how well the proposals for `set` agree with the hand-written labels; each tool counts once. */
async function tallySet(set: HandLabelled, seen: Set<string>, tallies: readonly Tally[]): Promise<Proposed> {
  const file = path.join(projectRoot, `${set.catalogue}.yaml`)
  const byHand = createLabeller(await readDocument('catalogue', file))
  const proposed = await proposalsFor(set)
  for (const { tool, perLabel } of proposed.labellings) {
    const hand = byHand(tool)
    assert.ok(hand, `${tool} is labelled by hand`)
    const key = `${set.server ?? ''} ${tool}`
    if (seen.has(key)) continue
    seen.add(key)
    const right = LABEL_NAMES.filter((label) => perLabel[label].value === valueOf(hand, label))
    for (const tally of tallies) {
      tally.tools++
      if (right.length === LABEL_NAMES.length) tally.right++
      if (LABEL_NAMES.some((label) => worseBy(label, perLabel[label].value, valueOf(hand, label)) < 0))
        tally.milder++
      for (const label of right) tally.byLabel[label]++
    }
  }
  return proposed
}

const shownTally = ({ tools, right, milder, byLabel }: Tally): string =>
  [
    `${right} of ${tools} tools right in every label (${((100 * right) / tools).toFixed(1)}%)`,
    `${milder} too mild in one`,
    ...LABEL_NAMES.map((label) => `${label} ${((100 * byLabel[label]) / tools).toFixed(1)}%`),
  ].join(', ')

describe('proposals against labels written by hand beforehand', () => {
  test('the official servers: tools, agreed at once, corrected, seconds', async (t) => {
    const all = newTally()
    for (const set of HAND_LABELLED.filter(({ server }) => server !== undefined)) {
      const own = newTally()
      const { seconds } = await tallySet(set, new Set(), [own, all])
      t.diagnostic(
        `${path.basename(set.catalogue)}: ${own.tools} tools, ${own.right} agreed at once, ${own.tools - own.right} corrected, ${seconds.toFixed(1)} s`,
      )
    }
    t.diagnostic(shownTally(all))
    // The server `everything` demonstrates the protocol: half of its tools do not do what their names say.
    assert.ok(all.right / all.tools > 0.7)
  })

  test('all tools, the tuning set and the held-out set', { skip }, async (t) => {
    const [all, tuned, heldOut] = [newTally(), newTally(), newTally()]
    const seen = new Set<string>()
    for (const set of HAND_LABELLED) {
      const own = newTally()
      await tallySet(set, seen, [own, all, set.isTuned ? tuned : heldOut])
      if (own.tools > 0) t.diagnostic(`${set.list ?? path.basename(set.catalogue)}: ${shownTally(own)}`)
    }
    t.diagnostic(`tuned on: ${shownTally(tuned)}`)
    t.diagnostic(`held out: ${shownTally(heldOut)}`)
    t.diagnostic(`all: ${shownTally(all)}`)
    assert.ok(heldOut.right / heldOut.tools >= 0.85)
    assert.ok(all.right / all.tools >= 0.85)
  })
})
