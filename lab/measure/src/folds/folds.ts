import { type Catalogue, PlimsollError } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { type About, type Corpus, type Recording, taskFoldOf } from '@plimsoll/fit'

/** By the goal of an attack (`About.goal`): the harm that it does, as `capability/reversibility` of the violating tool. */
export type Harms = ReadonlyMap<string, string>

/**
 * What each attack does when it succeeds: capability and reversibility that `catalogue` gives the tool of the violating step, the most
 * frequent of its sessions. Goals that no recorded session reached are not in it.
 */
export function harmsOf(
  recordings: readonly Pick<Recording, 'blind' | 'truth' | 'about'>[],
  catalogue: Catalogue,
): Harms {
  const labelsOf = createLabeller(catalogue)
  const counts = new Map<string, Map<string, number>>()
  for (const { blind, truth, about } of recordings) {
    const tool = truth.violatedAt === undefined ? undefined : blind.steps[truth.violatedAt]?.tool
    if (tool === undefined || about.goal === '') continue
    const labels = labelsOf(tool)
    const harm = labels ? `${labels.capability}/${labels.reversibility}` : 'unlabelled'
    const ofGoal = counts.get(about.goal) ?? new Map<string, number>()
    ofGoal.set(harm, (ofGoal.get(harm) ?? 0) + 1)
    counts.set(about.goal, ofGoal)
  }
  return new Map([...counts].map(([goal, ofGoal]) => [goal, mostFrequent(ofGoal)]))
}

const mostFrequent = (counts: ReadonlyMap<string, number>): string =>
  [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]

/** Ways to part recordings into what is fitted to and what is scored. */
export const FOLD_KINDS = [
  'attack',
  'task',
  'both',
  'template',
  'template+attack',
  'model',
  'suite',
  'source',
  'harm',
  'test',
] as const
export type FoldKind = (typeof FOLD_KINDS)[number]

/** One part: what is scored in it, and what everything that is fitted may see. No recording is both. */
export interface Fold {
  readonly name: string
  readonly tests: (about: About) => boolean
  readonly trains: (about: About) => boolean
}

const FIVE = [0, 1, 2, 3, 4] as const

/** Unattacked sessions go with their user's task. */
const attackFoldOf = ({ attackFold, taskFold }: About): number | undefined => attackFold ?? taskFold
const isTest = ({ split }: About): boolean => split === 'test'

/** Every recording has a task and a source; other kinds leave recordings without folds to `withFoldless`. */
const coversAll = (kind: FoldKind): boolean => kind === 'task' || kind === 'source'

/** Recordings without folds of their own: scored in every fold where they are of the test split, fitted to where they are not. */
const isFoldless = ({ attackFold, taskFold }: About): boolean =>
  attackFold === undefined && taskFold === undefined

/**
 * The folds of `kind` over these recordings.
 * - attack: by the attack's goal, five; the figure that counts. Source: README of the recordings.
 * - task: by the user's task, five; where a file has no folds, by a hash of the task. both: 25, what is scored shares neither goal nor task with what is fitted to.
 * - template: one for each wording around the goal; unattacked sessions take part by their task's fold.
 * - template+attack: each wording in each attack fold; what is scored shares neither wording nor goal.
 * - model: one for each model. suite: one for each suite, its tools and tasks new. source: one for each source, left out of the fit.
 * - test: the split `test`, a quick look.
 * - harm: one for each kind of harm that the attacks' goals do (`harms`): no attack that is fitted to did such harm. Goals that were never
 *   reached take part by their attack's fold, unattacked sessions by their task's.
 *
 * @throws PlimsollError `traces_invalid` where the recordings have no such parts
 */
export function foldsOf(kind: FoldKind, recordings: readonly About[], harms: Harms = new Map()): Fold[] {
  const parts = FOLDS[kind](recordings, harms)
  const folds = coversAll(kind) ? parts : parts.map(withFoldless)
  const usable = folds.filter(({ tests, trains }) => recordings.some(tests) && recordings.some(trains))
  if (usable.length > 0) return usable
  throw new PlimsollError(
    'traces_invalid',
    `the recordings have no parts for the folds \`${kind}\`: \`--folds\` names others, a bundle (\`--model\`) needs none`,
  )
}

/**
 * The folds of `kind` over the judged sessions of a corpus; without a kind a single fold scores all and fits nothing.
 *
 * @param catalogue says what tools can do: for `harm`
 */
export const foldsIn = (
  kind: FoldKind | undefined,
  { judged, recordings }: Pick<Corpus, 'judged' | 'recordings'>,
  catalogue: Catalogue,
): Fold[] =>
  kind
    ? foldsOf(
        kind,
        judged.flatMap((n) => recordings[n]?.about ?? []),
        kind === 'harm' ? harmsOf(recordings, catalogue) : undefined,
      )
    : [{ name: 'all sessions', tests: () => true, trains: () => false }]

const FOLDS: Readonly<Record<FoldKind, (recordings: readonly About[], harms: Harms) => Fold[]>> = {
  attack: (recordings) =>
    numbersOf(recordings, attackFoldOf).map((k) =>
      apart(`attack ${k}`, (about) => attackFoldOf(about) === k),
    ),
  task: (recordings) =>
    numbersOf(recordings, taskFoldOf).map((k) => apart(`task ${k}`, (about) => taskFoldOf(about) === k)),
  both: (recordings) =>
    numbersOf(recordings, ({ attackFold }) => attackFold).flatMap((k) =>
      numbersOf(recordings, ({ taskFold }) => taskFold).map((j) => bothFold(k, j)),
    ),
  template: (recordings) => templatesOf(recordings).map((name, n) => templateFold(name, n)),
  'template+attack': (recordings) =>
    templatesOf(recordings).flatMap((name, n) =>
      numbersOf(recordings, ({ attackFold }) => attackFold).map((k) => templateAttackFold(name, n, k)),
    ),
  model: (recordings) =>
    distinct(recordings.map(({ model }) => model)).map((name) => apart(name, ({ model }) => model === name)),
  suite: (recordings) =>
    distinct(recordings.map(({ suite }) => suite)).map((name) => apart(name, ({ suite }) => suite === name)),
  source: (recordings) =>
    distinct(recordings.map(({ source }) => source)).map((name) =>
      apart(name, ({ source }) => source === name),
    ),
  harm: (_recordings, harms) => {
    const kinds = distinct([...harms.values()])
    return kinds.map((kind, n) => harmFold(kind, n, kinds.length, harms))
  },
  test: () => [apart('test', isTest)],
}

const apart = (name: string, tests: Fold['tests']): Fold => ({
  name,
  tests,
  trains: (about) => !tests(about),
})

function bothFold(k: number, j: number): Fold {
  const inAttack = ({ attackFold }: About) => attackFold === undefined || attackFold === k
  return {
    name: `attack ${k}, task ${j}`,
    tests: (about) => inAttack(about) && about.taskFold === j,
    trains: ({ attackFold, taskFold }) => attackFold !== k && taskFold !== j,
  }
}

function templateFold(name: string, n: number): Fold {
  const tests = ({ template, taskFold }: About) =>
    template === '' ? taskFold === n % FIVE.length : template === name
  return apart(name, tests)
}

function templateAttackFold(name: string, n: number, k: number): Fold {
  const { tests, trains } = templateFold(name, n)
  return {
    name: `${name}, attack ${k}`,
    tests: (about) => tests(about) && (about.attackFold ?? k) === k,
    trains: (about) => trains(about) && about.attackFold !== k,
  }
}

function harmFold(kind: string, n: number, kinds: number, harms: Harms): Fold {
  return apart(kind, ({ goal, attackFold, taskFold = 0 }) => {
    const harm = harms.get(goal)
    if (harm !== undefined) return harm === kind
    return attackFold === undefined ? taskFold % kinds === n : attackFold % kinds === n
  })
}

function withFoldless({ name, tests, trains }: Fold): Fold {
  return {
    name,
    tests: (about) => (isFoldless(about) ? isTest(about) : tests(about)),
    trains: (about) => (isFoldless(about) ? !isTest(about) : trains(about)),
  }
}

const numbersOf = (recordings: readonly About[], of: (about: About) => number | undefined): number[] =>
  [...new Set(recordings.flatMap((about) => of(about) ?? []))].sort((a, b) => a - b)

const templatesOf = (recordings: readonly About[]): string[] =>
  distinct(recordings.map(({ template }) => template)).filter((name) => name !== '')

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort()
