/**
 * The runs behind docs/reference/prediction-figures.md. Each is measured in a process of its own: `kind` names how (measure.mjs).
 * `note` goes below the title. `sample`: one session of so many, by a hash of its id; chosen so that all runs take less than an hour on two
 * processors. `weight`: about the processor's minutes, by which the longest run begins first.
 */
const ALL = ['agentdojo', 'openagentsafety', 'tau_bench', 'intercode', 'odcv_bench', 'toolemu', 'miniswe']
const AGENTDOJO = ['agentdojo']
/** Agents under attack, whose violating step is known. */
const ATTACKED = ['agentdojo', 'agentdyn']

/** Scorers, chains and detector fitted in each fold, and nothing beside them. */
const flow = (folds, more = {}) => ({ folds, methods: ['flow'], isChains: false, ...more })

export const RUNS = [
  {
    name: 'attack',
    title: 'Unseen attacks',
    kind: 'eval',
    files: ALL,
    options: { folds: 'attack', isChains: false },
    sample: 3,
    weight: 9,
  },
  {
    name: 'task',
    title: 'Unseen tasks',
    note: 'Of ODCV-Bench these are all 26 tasks, held out in turn.',
    kind: 'eval',
    files: ALL,
    options: flow('task'),
    weight: 6,
  },
  {
    name: 'source',
    title: 'A source left out',
    kind: 'eval',
    files: ALL,
    options: flow('source', { group: 'source' }),
    sample: 5,
    weight: 7,
  },
  {
    name: 'both',
    title: 'Unseen attacks and tasks',
    kind: 'eval',
    files: AGENTDOJO,
    options: flow('both'),
    sample: 18,
    weight: 5,
  },
  {
    name: 'model',
    title: 'Unseen models',
    kind: 'eval',
    files: AGENTDOJO,
    options: flow('model'),
    sample: 18,
    weight: 5,
  },
  {
    name: 'template',
    title: 'Unseen wordings',
    kind: 'eval',
    files: AGENTDOJO,
    options: flow('template'),
    sample: 8,
    weight: 4,
  },
  {
    name: 'template+attack',
    title: 'Unseen wordings and attacks',
    kind: 'eval',
    files: AGENTDOJO,
    options: flow('template+attack'),
    sample: 30,
    weight: 7,
  },
  {
    name: 'suite',
    title: 'Unseen suites',
    note: 'Of AgentDojo and AgentDyn each suite is left out in turn.',
    kind: 'eval',
    files: ATTACKED,
    options: flow('suite'),
    sample: 3,
    weight: 3,
  },
  {
    name: 'harm',
    title: 'Unseen harm',
    kind: 'eval',
    files: AGENTDOJO,
    options: flow('harm'),
    sample: 3,
    weight: 2,
  },
  {
    name: 'bundle',
    title: 'The shipped bundle',
    note: 'Of ODCV-Bench these are the four tasks that the bundle has not seen.',
    kind: 'eval',
    files: ALL,
    options: {
      isModel: true,
      folds: 'test',
      methods: ['keyword', 'length'],
      // Without a model: which steps it would be asked about.
      judge: { sessions: 100_000, steps: 'ambiguous', callsMax: 0 },
    },
    weight: 2,
  },
  {
    name: 'alone',
    title: 'The shipped catalogue alone',
    note: 'The shipped bundle, where nobody has labelled the tools that the shipped catalogue does not list. Everywhere else on this page `plimsoll label` has labelled them first. Of ODCV-Bench these are the four tasks that the bundle has not seen.',
    kind: 'eval',
    files: ALL,
    options: { isModel: true, labelsUnlisted: false, folds: 'test', methods: [], isChains: false },
    weight: 2,
  },
  {
    name: 'without',
    title: 'Less reported',
    kind: 'without',
    files: ALL,
    options: { isModel: true, folds: 'test', methods: [], isChains: false },
    sample: 6,
    weight: 6,
  },
  {
    name: 'chains',
    title: 'Chains',
    kind: 'chains',
    files: ALL,
    options: {
      folds: 'task',
      methods: ['flow', 'paper60'],
      isChains: true,
      targets: ['observed', 'modelled'],
    },
    sample: 10,
    weight: 5,
  },
  {
    name: 'learning',
    title: 'Learning curve',
    kind: 'learning',
    files: AGENTDOJO,
    options: flow('attack'),
    samples: [81, 27, 9],
    weight: 6,
  },
  {
    name: 'cost',
    title: 'Cost of a step',
    kind: 'cost',
    files: ALL,
    options: {},
    sample: 10,
    weight: 0,
    /** Times are measured: nothing else runs meanwhile. */
    isAlone: true,
  },
]

/** The same run as a command over all sessions, where one command does it. */
export function commandOf({ kind, files, options }) {
  if ((kind !== 'eval' && kind !== 'chains') || options.labelsUnlisted === false) return undefined
  const { folds, group, isModel, methods = [], targets = ['observed'], isChains } = options
  return [
    'plimsoll eval --traces',
    ...files.map((file) => `${file}.jsonl.gz`),
    ...(isModel ? ['--model default'] : []),
    ...(folds === 'attack' ? [] : [`--folds ${folds}`]),
    ...(group ? [`--group ${group}`] : []),
    ...methods.map((name) => `--methods ${name}`),
    ...(targets.length === 1 ? [`--target ${targets[0]}`] : []),
    ...(isChains === undefined ? [] : [`--chains ${isChains ? 'yes' : 'no'}`]),
  ].join(' ')
}
