import type { Spec } from '@plimsoll/contracts'
import type { Judged } from './play.js'

/** How often each feature of a spec matched, and how often it did not although its own pattern could have matched. */
export function createCoverage() {
  const spoke = new Map<string, number>()
  const silent = new Map<string, number>()
  const others = new Map<string, number>()
  const add = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

  return {
    note(specs: readonly Spec[], { answer, decision }: Judged): void {
      const speaking = new Set([...answer.matched, ...answer.lifting].map(({ id }) => id))
      for (const spec of specs.filter((each) => !isMute(each)))
        for (const what of thingsOf(spec)) add(speaking.has(spec.id) ? spoke : silent, what)
      for (const { source } of answer.matched) add(others, `source ${source}`)
      if (answer.matched.some(({ waitFor }) => waitFor.length > 0)) add(others, 'waits')
      add(others, `${decision.kind} ${decision.mode} ${decision.verdict}`)
      if (decision.reasons.some(({ liftedBy }) => liftedBy !== undefined)) add(others, 'lifted')
    },
    /** Features that matched, or did not match, less often than `least`, and those that never occurred. */
    seldom(least: number): string[] {
      const both = [...spoke.keys(), ...silent.keys()]
      const few = [...new Set(both)].filter(
        (what) => Math.min(spoke.get(what) ?? 0, silent.get(what) ?? 0) < least,
      )
      return [...few, ...EVERYTHING.filter((what) => !both.includes(what))]
    },
    seldomCame: (least: number): string[] => OCCASIONS.filter((what) => (others.get(what) ?? 0) < least),
    report: (): string =>
      [
        ...[...spoke].map(([what, count]) => `${what} ${count}/${silent.get(what) ?? 0}`),
        ...[...others].map(([what, count]) => `${what} ${count}`),
      ]
        .toSorted()
        .join(', '),
  }
}

const OCCASIONS = [
  'source blocklist',
  'source flow',
  'source mustlist',
  'source confirmation',
  'waits',
  'lifted',
  'step enforce allow',
  'step enforce warn',
  'step enforce confirm',
  'step enforce block',
  'step observe block',
  'approval enforce warn',
  'approval enforce block',
]

const WINDOWS = ['steps', 'seconds', 'session']

const EVERYTHING = [
  ...['blocklist', 'confirmation', 'allowlist'].flatMap((tier) =>
    ['after', 'before', 'between'].map((member) => `${tier} ${member}`),
  ),
  ...['blocklist', 'confirmation'].flatMap((tier) =>
    ['atMost', 'sum', 'distinct', 'fleet', 'flow'].map((member) => `${tier} ${member}`),
  ),
  'mustlist requires',
  'mustlist followedBy',
  ...['allow', 'confirm', 'block'].map((exit) => `exit ${exit}`),
  'declassifiers',
  'by values',
  ...['after', 'before', 'flow', 'requires'].flatMap((member) =>
    WINDOWS.map((window) => `${member} within ${window}`),
  ),
  'followedBy within steps',
  'followedBy within seconds',
  ...['atMost', 'sum', 'distinct'].flatMap((member) => WINDOWS.map((window) => `${member} per ${window}`)),
  'counts proposals',
  'recipient',
  'act',
  'object',
  'reach',
  'where',
  'command text',
  'labels',
]

/** An obligation due at the end of the session refuses nothing. */
const isMute = ({ tier, ...spec }: Spec): boolean =>
  tier === 'mustlist' && 'followedBy' in spec && spec.followedBy?.within === 'session'

const windowOf = (window: object | 'session' | undefined): string =>
  window === undefined || window === 'session' ? 'session' : (Object.keys(window)[0] ?? '')

/** The features of a spec, as named in EVERYTHING. */
function thingsOf(spec: Spec): Set<string> {
  const things = new Set<string>()
  const members: Readonly<Record<string, unknown>> = spec
  for (const member of [
    'after',
    'before',
    'between',
    'atMost',
    'sum',
    'distinct',
    'fleet',
    'flow',
    'requires',
    'followedBy',
  ])
    if (members[member] !== undefined) things.add(`${spec.tier} ${member}`)
  for (const member of ['after', 'before', 'requires', 'followedBy']) {
    const value = members[member]
    if (isObject(value))
      things.add(`${member} within ${windowOf(isObject(value['within']) ? value['within'] : undefined)}`)
  }
  for (const member of ['atMost', 'sum', 'distinct']) {
    const value = members[member]
    if (isObject(value))
      things.add(`${member} per ${windowOf(isObject(value['per']) ? value['per'] : undefined)}`)
  }
  if ('flow' in spec && spec.flow) {
    things.add(`flow within ${windowOf(spec.flow.from.within)}`)
    if (spec.flow.by === 'values') things.add('by values')
    if (spec.flow.declassifiers) things.add('declassifiers')
  }
  if (spec.tier === 'mustlist' && spec.followedBy) things.add(`exit ${spec.followedBy.exit ?? 'confirm'}`)
  if (spec.counts === 'proposals') things.add('counts proposals')
  if (spec.recipient) things.add('recipient')
  for (const member of ['act', 'object', 'reach'] as const) if (spec[member]) things.add(member)
  if (spec.where !== undefined) things.add('where')
  if (spec.where?.includes('command') === true) things.add('command text')
  if (spec.confidentiality ?? spec.trust ?? spec.tags) things.add('labels')
  return things
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
