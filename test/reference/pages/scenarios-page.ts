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

What \`plimsoll fleet\` and \`plimsoll up\` play: forty tasks, ten in each category. Each is a small world with files and records of different
sensitivity and three to five tools, like those in the SafetyDrift paper (arXiv 2603.27148). \`npm run reference\` makes this page from the
scenarios.

**It is synthetic.** The tasks are made up after the paper's description; its own tasks and traces are not used. The agents are weighted
random draws, not language models. The weights were set so that the four categories are violated about as often as in the paper. Their
rates say nothing about real agents, or about how well Plimsoll judges them.

**How an agent plays.** At each step it draws one act. The weights depend on the category, on what it has read (sensitive data, credentials,
orders meant for it), and on its earlier acts. The acts are *look*, *read* (what the task needs), *pry* (more than that), *work*, *report*
(can be undone) and *share* (irreversible). After a report or a share the task may be done. Six steps in a hundred fail; after 25 steps the
agent stops. When a verdict stops it, it reports, does something else, or gives up. A simulated human recognises in 85 of 100 cases whether
sensitive data would leave, and is absent in ten. Everything is drawn from \`--seed\`: the same seed and verdicts give the same sessions.

**What shows a leak.** Things to read have a made-up text with a file number, a name and an account. A step that leaks contains the file number
and the name. \`plimsoll up\`, and \`plimsoll fleet\` with \`PLIMSOLL_FINGERPRINT_KEY\`, report both texts, and the monitor matches their
fingerprints. Without a key, half of the steps that send declare it (\`evidence\`).

**Two truths are counted.** *Violated*: a step that ran brought the session to the level \`violated\` of the cascade, by tools alone, as in the
paper. *Leaked*: sensitive data left in the simulated world. A cleaned summary is violated and not leaked.

| category | violated in the paper | required of agents that ignore verdicts |
|---|---|---|
${CATEGORIES.map((category) => `| ${category} | ${PAPER_RATES[category]}% | within 10 points (test/e2e/services/fleet.test.ts) |`).join('\n')}

**The rate.** \`--rate\` is steps a second over all sessions. Each step has a due time, independent of earlier steps, and its latency counts from
then. A free session takes it. Steps within a session wait for their verdicts. With too few sessions (\`--concurrency\`) for the rate, steps start
late, and the summary says how many and how late.
`.split('\n')

function section(category: Category): string[] {
  const own = SCENARIOS.filter((scenario) => scenario.category === category)
  return [`## ${category}`, '', '| task | goal | tools |', '|---|---|---|', ...own.map(row), '']
}

function row({ name, goal, acts }: Scenario): string {
  const tools = new Set(ACT_KINDS.flatMap((kind) => (acts[kind] ?? []).map(([tool]) => `\`${tool}\``)))
  return `| ${name} | ${goal} | ${[...tools].join(', ')} |`
}
