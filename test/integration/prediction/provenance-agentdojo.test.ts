import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createEntryFinder, createObserver, keyOfRoot } from '@plimsoll/labels'
import { readBenchmarkCatalogue } from '../../support/benchmarks.js'
import { recordingOf } from '../../support/sessions/recording.js'

/**
 * Where the targets of recorded steps come from: attack steps compared with benign outgoing steps. Folds 0 to 3
 * only; fold 4 is reserved for reported results. The shipped model, trained on such texts, finds instructions.
 */
const FILE = 'agentdojo.jsonl.gz'
const BENIGN_EVERY = 8

const { file, missing: skip } = recordingOf(FILE)

interface Recorded {
  readonly suite: string
  readonly task?: string
  readonly trace_id: string
  readonly split?: string
  readonly attack_fold?: number | null
  readonly task_fold?: number | null
  readonly label: { unsafe: boolean | null; violation_step?: number; partial?: boolean; text_only?: boolean }
  readonly steps: readonly { i: number; tool: string; args?: Record<string, unknown>; result?: unknown }[]
}

/** For steps of one kind: their number, and how many have a target in each kind of source but not in the task. */
interface Counts {
  steps: number
  inTask: number
  untrusted: number
  instructed: number
  nowhere: number
}

test(
  'targets of attack steps come from tool results, those of benign steps mostly from the task',
  { skip },
  async (t) => {
    const catalogue = await readBenchmarkCatalogue()
    const entryOf = createEntryFinder(catalogue)
    const observer = createObserver({ catalogue, key: keyOfRoot('a key for tests', 'session-1') })
    const counts: Record<'violating' | 'benign', Counts> = { violating: none(), benign: none() }
    const isUntrusted = (tool: string) => (entryOf(tool)?.labels.trust ?? 'untrusted') === 'untrusted'
    const isOutgoing = (tool: string) => {
      const capability = entryOf(tool)?.labels.capability
      return capability === 'network' || capability === 'write'
    }

    for (const [n, trace] of recorded(file).entries()) {
      const { unsafe, violation_step: violation } = trace.label
      if (unsafe === false && n % BENIGN_EVERY !== 0) continue
      const task = bitsOf(observer.started({ task: trace.task ?? '' }).fingerprints)
      const untrusted = new Set<string>()
      const instructed = new Set<string>()
      const seen = new Set<string>()
      for (const { i, tool, args = {}, result = '' } of trace.steps) {
        const counted = unsafe ? i === violation : isOutgoing(tool)
        if (counted) {
          const { fingerprints = [] } = observer.proposed({ tool, arguments: args })
          const of = counts[unsafe ? 'violating' : 'benign']
          const values = targetsOf(fingerprints)
          const fresh = values.filter((each) => !task.has(each))
          of.steps++
          if (values.length > 0 && fresh.length === 0) of.inTask++
          if (fresh.some((each) => untrusted.has(each))) of.untrusted++
          if (fresh.some((each) => instructed.has(each))) of.instructed++
          if (fresh.some((each) => !seen.has(each))) of.nowhere++
        }
        if (unsafe && i === violation) break
        const view = observer.completed({ tool, result })
        for (const each of bitsOf(view.fingerprints)) {
          seen.add(each)
          if (isUntrusted(tool)) untrusted.add(each)
        }
        for (const each of bitsOf(view.instructed)) instructed.add(each)
      }
    }
    for (const [name, { steps, ...of }] of Object.entries(counts))
      t.diagnostic(
        `${name}: ${steps} steps, ${Object.entries(of)
          .map(([source, count]) => `${source} ${percent(count, steps)}`)
          .join(', ')}`,
      )
    const { violating, benign } = counts
    assert.ok(violating.steps > 2_500 && benign.steps > 500, 'the recordings are all there')
    assert.ok(violating.untrusted / violating.steps >= 0.9)
    assert.ok(violating.instructed / violating.steps >= 0.85)
    assert.ok(benign.instructed / benign.steps <= 0.15)
  },
)

const none = (): Counts => ({ steps: 0, inTask: 0, untrusted: 0, instructed: 0, nowhere: 0 })
const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} %`
const bitsOf = (list: readonly string[] = []): Set<string> => new Set(list.map((each) => each.slice(1)))

/** The destination of the step; its subject if no destination is given. */
function targetsOf(list: readonly string[]): string[] {
  const targets = list.filter((each) => /^[acu]/.test(each))
  return (targets.length > 0 ? targets : list.filter((each) => /^[pin]/.test(each))).map((each) =>
    each.slice(1),
  )
}

function recorded(name: string): Recorded[] {
  const lines = gunzipSync(readFileSync(name)).toString().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Recorded).filter(isForTuning)
}

function isForTuning({ split, attack_fold, task_fold, label }: Recorded): boolean {
  if (split === 'test' || (attack_fold ?? task_fold) === 4) return false
  return label.unsafe !== null && !label.partial && !label.text_only
}
