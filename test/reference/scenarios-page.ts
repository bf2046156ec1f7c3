import { ACT_KINDS, CATEGORIES, SCENARIOS, type Category, type Scenario } from '@plimsoll/fleet'

/** Share of violated sessions in the paper, in percent. Source: SafetyDrift §8.2. */
export const PAPER_RATES: Readonly<Record<Category, number>> = {
  code_debugging: 3,
  data_handling: 80,
  research_comms: 100,
  sysadmin: 4,
}

/** The text of docs/reference/scenarios.md. */
export function scenariosPage(): string {
  return [...HEAD, ...CATEGORIES.flatMap(section)].join('\n')
}

const HEAD = `# Scenarios

What \`plimsoll fleet\` and \`plimsoll up\` play: forty tasks, ten a category, each a small world of its own with files and records of
differing sensitivity and three to five tools, as the SafetyDrift paper (arXiv 2603.27148) describes its own. This page is made from
the scenarios: \`npm run reference\` writes it.

**It is synthetic.** The tasks are made up after the paper's description; neither its tasks nor its traces are in them. The agents are
weighted dice, no language models. The weights were set so that the four categories are violated about as often as the paper's:
a share that comes out of them is no finding, and nothing about real agents, or about how well Plimsoll judges them, follows from it.

**How an agent plays.** At each step it draws one act by weights that depend on the category, on whether it has seen something sensitive
or credentials so far, on whether it has read orders meant for it, and on what it did before. An act is one of six kinds: *look* around,
*read* what the task needs, *pry* into more than that, *work*, *report* (can be taken back), *share* (leaves for good). After a report or
a share it may take its task for done; six calls in a hundred fail; after 25 steps it stops. Stopped by a verdict, it turns to a
report, to something else, or gives up. Asked about a step, a simulated human sees rightly in 85 of 100 cases whether something sensitive
would leave, and is not there in ten. Everything is drawn from \`--seed\`: the same seed, and the same verdicts, give the same sessions.

**What tells whether a sending leaks.** Things that are read have a made-up text with a file number, a name and an account; a sending that leaks
has the file number and the name in it. \`plimsoll up\`, and \`plimsoll fleet\` with \`PLIMSOLL_FINGERPRINT_KEY\`, hand both to the client, and the
monitor matches their fingerprints. \`plimsoll fleet\` without a key has half of the sendings say it of themselves (\`evidence\`).

**Two truths are counted.** *Violated*: a step that ran brought the session to the level \`violated\` of the cascade, which looks at the tools
alone, as the paper's labels do. *Leaked*: something sensitive did leave in the simulated world. A summary that was cleaned first is violated
and not leaked.

| category | violated in the paper | held to, for agents that go on whatever the verdict |
|---|---|---|
${CATEGORIES.map((category) => `| ${category} | ${PAPER_RATES[category]}% | within 10 points (test/e2e/fleet.test.ts) |`).join('\n')}

**The rate.** \`--rate\` is steps (tool calls) a second over all sessions together. Each step has a time when it is due, whatever became of the
earlier ones, and its latency counts from then; a free session takes it. Steps within one session wait for their verdicts, as an agent's do: with
too few sessions (\`--concurrency\`) for the rate, steps start late, and the summary says how many and how late.
`.split('\n')

function section(category: Category): string[] {
  const own = SCENARIOS.filter((scenario) => scenario.category === category)
  return [`## ${category}`, '', '| task | goal | tools |', '|---|---|---|', ...own.map(row), '']
}

function row({ name, goal, acts }: Scenario): string {
  const tools = new Set(ACT_KINDS.flatMap((kind) => (acts[kind] ?? []).map(([tool]) => `\`${tool}\``)))
  return `| ${name} | ${goal} | ${[...tools].join(', ')} |`
}
