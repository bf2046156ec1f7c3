import type { Act, Effect, EventOf, Signals } from '@plimsoll/contracts'
import type { NaiveEffect, NaiveReading } from './naive/naive-pattern.js'

/** Every step that agents can propose in a small world: what it does to what, and how much of that its client says. */
export interface SmallStep {
  readonly reading: NaiveReading
  readonly event: Pick<EventOf<'step.proposed'>, 'tool' | 'effects' | 'signals'>
}

const ACTS = ['delete', 'stop', 'publish'] as const
const OBJECTS = ['path', 'table', undefined] as const
const REACHES = ['own', 'live', undefined] as const
const FINAL = { capability: 'write', reversibility: 'irreversible' } as const
const PARTIAL = { capability: 'write', reversibility: 'partial' } as const
export const SMALL_TOOLS = { work_a: FINAL, work_b: PARTIAL } as const

/** What the session has made under this name is its own; nothing else is. */
export const MADE = 'pmine222'
const OTHER = 'pothers2'

const EFFECTS: readonly NaiveEffect[] = ACTS.flatMap((act) =>
  OBJECTS.flatMap((object) =>
    REACHES.map((reach) => ({ act, ...(object && { object }), ...(reach && { reach }) })),
  ),
)
const isWhole = ({ object, reach }: NaiveEffect): boolean => object !== undefined && reach !== undefined
const WHOLE = EFFECTS.filter(isWhole)

/** Up to three effects without an unknown part, or one effect with it, alone and beside another. */
const LISTS: readonly (readonly NaiveEffect[])[] = [
  [],
  ...EFFECTS.map((one) => [one]),
  ...EFFECTS.map((one) => [{ ...one, incomplete: true as const }]),
  ...WHOLE.flatMap((one, i) =>
    [...WHOLE.slice(i + 1), ...EFFECTS.filter((each) => !isWhole(each))].map((two) => [one, two]),
  ),
  ...WHOLE.flatMap((one, i) =>
    WHOLE.slice(i + 1).flatMap((two, j) => WHOLE.slice(i + j + 2).map((three) => [one, two, three])),
  ),
]

const eventEffect = ({ reach, ...effect }: NaiveEffect): Effect => ({
  ...effect,
  // That a thing is the session's own nobody can claim: the monitor knows its name.
  ...(reach !== undefined && { reach: reach === 'own' ? 'project' : reach }),
  names: [reach === 'own' ? MADE : OTHER],
})

const SIGNALS: Readonly<Partial<Record<Act, Signals>>> = {
  delete: { doesDelete: 1 },
  publish: { doesPublish: 1 },
}

const stepsOf = (tool: keyof typeof SMALL_TOOLS): SmallStep[] => {
  const labels = { ...SMALL_TOOLS[tool], confidentiality: 'none', trust: 'trusted', tags: [] }
  const reading = { tool, labels, args: undefined, outside: undefined }
  const reported = LISTS.map((effects) => ({
    reading: { ...reading, effects },
    event: { tool, effects: effects.map(eventEffect), signals: {} },
  }))
  const byActs = ([['delete'], ['publish'], ['delete', 'publish']] as const).map((acts) => ({
    reading: { ...reading, effects: [], acts },
    event: { tool, signals: Object.assign({}, ...acts.map((act) => SIGNALS[act])) as Signals },
  }))
  const unreadable = {
    reading: { ...reading, effects: [], isUnreadable: true },
    event: { tool, signals: { unreadable: 1 } },
  }
  return [
    ...reported,
    ...byActs,
    unreadable,
    { reading: { ...reading, effects: undefined }, event: { tool } },
  ]
}

export const EVERY_STEP: readonly SmallStep[] = [...stepsOf('work_a'), ...stepsOf('work_b')]
