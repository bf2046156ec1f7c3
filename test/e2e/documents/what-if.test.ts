import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { DecisionDiff } from '@plimsoll/measure'
import { recordingOf } from '../../support/sessions/recording.js'
import { runCli } from '../cli-process.js'
import { temporaryFolder, writeLeaks, writeRecordings } from '../models/recordings.js'

const AGENTDOJO = recordingOf('agentdojo.jsonl.gz')

/** The shipped policy with `specs`. */
const policyOf = (name: string, specs: readonly object[]) => ({
  schema: 1,
  kind: 'plimsoll.policy',
  name,
  specs,
  line: { present: 'block', absent: 'allow', unknown: 'confirm' },
  hazard: ['warn', 'confirm', 'block'],
  forward: { verdicts: ['allow', 'warn', 'confirm'], hysteresis: 0.05 },
  unlabelled: {
    verdict: 'confirm',
    labels: {
      capability: 'execute',
      confidentiality: 'internal',
      trust: 'untrusted',
      reversibility: 'partial',
    },
  },
  approvals: { ttlSeconds: 900 },
})

const NO_MAIL = policyOf('no mail', [
  { id: 'no-mail', tier: 'blocklist', tools: ['send_email'], message: 'no mail' },
])
const ASK_FILES = policyOf('ask files', [{ id: 'ask-files', tier: 'confirmation', tools: ['write_file'] }])

async function onPolicies(
  write: (traces: string) => Promise<void>,
  run: (deployment: {
    traces: string
    file: (document: object) => Promise<string>
    folder: string
  }) => Promise<void>,
): Promise<void> {
  const { folder, remove } = await temporaryFolder()
  let files = 0
  try {
    const traces = path.join(folder, 'sessions.jsonl')
    await write(traces)
    const file = async (document: object) => {
      const name = path.join(folder, `policy-${files++}.json`)
      await writeFile(name, JSON.stringify(document))
      return name
    }
    await run({ traces, file, folder })
  } finally {
    await remove()
  }
}

const diffOf = (stdout: string) => (JSON.parse(stdout) as { diff: DecisionDiff }).diff

describe('`replay --policy`', () => {
  test('reports by spec what another policy would decide differently, and its effect', () =>
    onPolicies(
      (traces) => writeLeaks(traces, 20),
      async ({ traces, file, folder }) => {
        const html = path.join(folder, 'diff.html')
        const policy = await file(NO_MAIL)
        const args = ['replay', '--policy', policy, '--html', html, '--traces', traces]
        const { code, stdout, stderr } = await runCli([...args, '--json'])
        assert.equal(code, 0, stderr)
        const { sessions, steps, changes, bySpec, byTool, safe, violated, examples } = diffOf(stdout)
        assert.deepEqual([sessions, steps], [20, 40])
        // One half carries the card number and is blocked already; the other is harmless.
        assert.deepEqual(changes.blocked, { steps: 10, sessions: 10 })
        assert.deepEqual(
          bySpec.map(({ source, code, how, safeSessions, violatedSessions }) => [
            `${source} ${code} ${how}`,
            safeSessions,
            violatedSessions,
          ]),
          [['blocklist no-mail speaks', 10, 0]],
        )
        assert.deepEqual(
          byTool.map(({ tool }) => tool),
          ['send_email'],
        )
        assert.equal(safe.stopped.newly.n, 10)
        assert.ok(safe.stopped.newly.low > 0.6 && safe.stopped.newly.high === 1)
        assert.deepEqual([violated.stopped.old.n, violated.stopped.newly.n], [10, 0])
        assert.deepEqual([examples[0]?.session, examples[0]?.step], ['leak/1', 2])

        const text = await runCli(args)
        assert.match(text.stdout, /^old: policy `default` [0-9a-f]{32}; new: policy `no mail` [0-9a-f]{32}\n/)
        assert.match(text.stdout, /newly blocked +10 +10\n/)
        assert.match(text.stdout, /safe, a step blocked +0 of 10 .* 10 of 10 \(100\.0%, 72\.2%–100\.0%\)/)
        assert.match(text.stdout, /leak\/1, step 2, send_email \(safe\): blocklist no-mail matches\n/)
        assert.match(text.stdout, /A recording cannot show what an agent does/)
        assert.match(await readFile(html, 'utf8'), /<h1>What another policy would decide differently<\/h1>/)
      },
    ))

  test('compares it with a given policy, in both directions', () =>
    onPolicies(
      (traces) => writeRecordings(traces, 30),
      async ({ traces, file }) => {
        const [mail, files] = [await file(NO_MAIL), await file(ASK_FILES)]
        const { stdout } = await runCli([
          'replay',
          '--json',
          '--policy',
          files,
          '--against',
          mail,
          '--traces',
          traces,
          '--limit',
          '15',
        ])
        const { sessions, changes, bySpec, safe } = diffOf(stdout)
        assert.equal(sessions, 15)
        assert.deepEqual([changes.asked.sessions, changes.eased.sessions], [10, 5])
        assert.deepEqual(
          bySpec.map(({ code, how }) => `${code} ${how}`),
          ['ask-files speaks', 'no-mail silent'],
        )
        assert.deepEqual([safe.approvals.old, safe.approvals.candidate], [0, 1])
      },
    ))

  test('a policy compared with itself has no differences', { skip: AGENTDOJO.missing }, () =>
    onPolicies(
      async () => {},
      async ({ file }) => {
        const policy = await file(ASK_FILES)
        const args = ['--policy', policy, '--against', policy, '--traces', AGENTDOJO.file, '--limit', '300']
        const { stdout } = await runCli(['replay', '--json', ...args])
        const { sessions, changed, otherReasons, bySpec, examples } = diffOf(stdout)
        assert.deepEqual([sessions, changed, otherReasons], [300, { steps: 0, sessions: 0 }, 0])
        assert.deepEqual([bySpec, examples], [[], []])
      },
    ),
  )

  test('refuses options of the other kind of replay', async () => {
    const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [['--against', 'x', '--traces', 'y'], /`--against` needs `--policy`/],
      [['--policy', 'x'], /there are no recorded sessions: name files with `--traces`/],
      [
        ['--policy', 'x', '--traces', 'y', '--via', 'kafka'],
        /omit `--via kafka`: `--policy` does not use it/,
      ],
    ]
    for (const [args, message] of WRONG) {
      const { code, stderr } = await runCli(['replay', ...args])
      assert.equal(code, 2)
      assert.match(stderr, message)
    }
  })
})
