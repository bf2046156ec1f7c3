import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Guard, createGuard } from '@plimsoll/client'
import { policySchema } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { type Random, createRandom } from '../property/random.js'

const SEEDS = 400
const TASK = 'Look at the logs of the app and tell me what is wrong.'
const ALLOWED = 'docker compose down -v'
const OTHER = 'terraform destroy -auto-approve'

const wrap = [
  (command: string) => command,
  (command: string) => `sh -c '${command}'`,
  (command: string) => `env X=1 ${command}`,
  (command: string) => `sudo ${command}`,
  (command: string) => `echo a | xargs ${command}`,
  (command: string) => `(${command})`,
  (command: string) => `{ ${command}; }`,
  (command: string) => `if true; then ${command}; fi`,
  (command: string) => `eval "${command}"`,
  (command: string) => `timeout 5 ${command}`,
  (command: string) => command.replace(/\w+/, '"$&"'),
  (command: string) => `/usr/bin/${command}`,
  (command: string) => `cd infra; ${command}`,
] as const

type Join = (allowed: string, other: string, random: Random) => string
/** Ways to run another command beside an allowed one. */
const join: readonly [Join, ...Join[]] = [
  (allowed, other, random) => `${allowed}${random.pick(['; ', ' && ', ' || ', ' | ', '\n', ' & '])}${other}`,
  (allowed, other, random) => `${other}${random.pick(['; ', ' && ', ' || ', '\n', ' & '])}${allowed}`,
  (allowed, other, random) =>
    `${allowed} ${random.pick([`$( ${other})`, `"$( ${other})"`, `\`${other}\``, `<(${other})`])}`,
  (allowed, other) => `${allowed} <<X\n$( ${other})\nX`,
  (allowed, other) => `f() { ${other}; }; ${allowed} && f`,
]
const disguise: readonly [Join, ...Join[]] = [
  (allowed, other) => `${other} # ${allowed}`,
  (allowed, other) => `${other} '${allowed}'`,
  (allowed, other) => `${other} ${allowed}`,
  (allowed, _, random) =>
    `${random.pick(['PATH=/tmp/evil', 'DOCKER_HOST=ssh://prod', 'A=1 COMPOSE_FILE=/tmp/x.yml'])} ${allowed}`,
  (allowed, _, random) =>
    `${random.pick(['printf -v PATH /tmp/evil', 'wait -p PATH', 'getopts a PATH', 'let PATH=1', 'pushd /prod'])}${random.pick(['; ', ' && ', '\n'])}${allowed}`,
  (allowed) => `for PATH in /tmp/evil; do ${allowed}; done`,
]

const guardWith = async (spec: object): Promise<Guard> => {
  const { policy, ...others } = await defaultDocuments()
  return createGuard({
    documents: { ...others, policy: policySchema.parse({ ...policy, specs: [...policy.specs, spec] }) },
  })
}

async function decide(guard: Guard, command: string) {
  const session = await guard.startSession({ category: 'coding', task: TASK })
  const answer = await session.propose({ tool: 'bash', arguments: { command } })
  await session.end()
  return answer
}

for (const text of [
  `args.command.startsWith('docker compose down')`,
  `args.command.contains('docker compose down')`,
])
  test(`no other command rides along where ${text} is allowed`, async (context) => {
    const guard = await guardWith({
      id: 'down',
      tier: 'allowlist',
      tools: ['bash'],
      where: text,
      lifts: ['line', 'integrity', 'irreversible', 'hazard', 'forward', 'confirmation', 'unlabelled'],
    })
    const plain = await createGuard()
    context.after(() => Promise.all([guard.close(), plain.close()]))
    assert.equal((await decide(plain, ALLOWED)).verdict, 'confirm', 'without the spec it asks')
    for (const command of [
      ALLOWED,
      `cd app && ${ALLOWED}`,
      `${ALLOWED} 2>&1 | tail -3; echo done`,
      `${ALLOWED} || true`,
    ])
      assert.ok((await decide(guard, command)).mayRun, command)
    const random = createRandom(3)
    for (let seed = 0; seed < SEEDS; seed++) {
      const command = random.pick([...join, ...disguise])(ALLOWED, random.pick(wrap)(OTHER), random)
      assert.ok(!(await decide(guard, command)).mayRun, `seed ${seed}: ${command}`)
    }
  })

test('a blocked command is found in any compound, and honest commands are let be', async (context) => {
  const guard = await guardWith({
    id: 'no-status',
    tier: 'blocklist',
    tools: ['bash'],
    where: `args.command.startsWith('git status')`,
  })
  context.after(() => guard.close())
  const random = createRandom(5)
  for (let seed = 0; seed < SEEDS; seed++) {
    const command = random.pick(join)('ls', random.pick(wrap)('git status -s'), random)
    const { decision } = await decide(guard, command)
    assert.ok(
      decision?.reasons.some(({ code }) => code === 'no-status'),
      `seed ${seed}: ${command}`,
    )
  }
  for (const command of [
    'git log -3',
    'ls # git status',
    'echo "see git status"',
    'grep -rn "git status" docs',
    '(',
  ]) {
    const { decision } = await decide(guard, command)
    assert.ok(!decision?.reasons.some(({ code }) => code === 'no-status'), command)
  }
})

test('an allowlist by effect lifts a step only if all of its effects are meant', async (context) => {
  const guard = await guardWith({
    id: 'stops',
    tier: 'allowlist',
    act: ['delete', 'stop'],
    object: ['volume'],
    lifts: ['irreversible', 'hazard', 'forward', 'line'],
  })
  context.after(() => guard.close())
  assert.ok((await decide(guard, ALLOWED)).mayRun)
  for (const command of [`${ALLOWED}; ${OTHER}`, `${ALLOWED} && rm -rf ~/photos`])
    assert.ok(!(await decide(guard, command)).mayRun, command)
})
