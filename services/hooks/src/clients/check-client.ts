import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HookAnswer, HookClient, HookEvent, Payload, StepProposed } from '../event.js'

/** What the tests of adapters share. Payloads in them are made by hand after the documented shapes. */

/** A payload, and what the adapter must make of it: undefined if it does not matter. `event` is for clients that do not send the name. */
export interface Sample {
  readonly payload: Payload
  readonly event?: string
  readonly means: HookEvent | undefined
}

export interface ClientCases {
  /** The member that holds the client's id of the conversation. */
  readonly session: string
  readonly samples: Readonly<Record<string, Sample>>
}

/** An event as the service gets it: in JSON. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

const UNKNOWN: Payload = { added_in_2030: { deep: ['x'] }, addedToo: true }

/** Each sample is read, also with members that the adapter does not know; without the conversation's id it is refused. */
export function checkReads(client: HookClient, { session, samples }: ClientCases): void {
  for (const [name, { payload, event, means }] of Object.entries(samples)) {
    test(`${client.title} reads ${name}`, () => {
      assert.deepEqual(plain(client.read(payload, event)), plain(means))
      assert.deepEqual(plain(client.read({ ...payload, ...UNKNOWN }, event)), plain(means))
      const { [session]: id, ...rest } = payload
      if (means === undefined || id === undefined) return
      assert.throws(() => client.read(rest, event), TypeError)
    })
  }
  test(`${client.title}: an event that is not known does not matter, and needs no conversation`, () => {
    for (const event of ['SomethingNew', 'constructor', '']) assert.equal(client.read({}, event), undefined)
  })
}

export type Verdict = HookAnswer['verdict']

/** What the hook's process prints; `stdout` parsed, undefined where it is empty. */
export interface Printed {
  readonly stdout?: unknown
  readonly stderr?: string
  readonly exitCode?: number
}

/** Why, in the answers of these tests. */
export const REASON = 'Plimsoll stopped this: it deletes the backups. Ask for `keep-last 3` instead.'

function printed(client: HookClient, verdict: Verdict, event: HookEvent | undefined): Printed {
  const { stdout, stderr, exitCode } = client.reply(
    { verdict, text: verdict === 'allow' ? '' : REASON },
    event,
  )
  return { stdout: stdout === '' ? undefined : JSON.parse(stdout), stderr, exitCode }
}

const SILENT = { stdout: undefined, stderr: '', exitCode: 0 }

/** The whole answer to a proposed step, for each verdict. Members that are not given: nothing is printed, and the exit code is 0. */
export function checkReplies(
  client: HookClient,
  event: StepProposed,
  expected: Readonly<Record<Verdict, Printed>>,
): void {
  for (const verdict of ['allow', 'warn', 'confirm', 'block'] as const)
    test(`${client.title} is answered ${verdict} where it can${event.canAsk ? '' : 'not'} ask`, () => {
      assert.deepEqual(printed(client, verdict, event), { ...SILENT, ...expected[verdict] })
    })
}

/** Any verdict on what is no proposed step, or does not matter, is answered with the same. */
export function checkOthers(client: HookClient, expected: (kind: string | undefined) => unknown): void {
  for (const event of OTHERS)
    test(`${client.title} goes on after ${event?.kind ?? 'an event that does not matter'}`, () => {
      for (const verdict of ['allow', 'warn', 'confirm', 'block'] as const)
        assert.deepEqual(printed(client, verdict, event), { ...SILENT, stdout: expected(event?.kind) })
    })
}

export const proposed = (canAsk: boolean): StepProposed => ({
  kind: 'step-proposed',
  session: 's',
  tool: 'remove_backups',
  arguments: { keep: 0 },
  canAsk,
  isRemote: false,
})

const { canAsk: _, ...call } = proposed(false)

const OTHERS: readonly (HookEvent | undefined)[] = [
  undefined,
  { ...call, kind: 'step-completed', result: 'gone', isError: false },
  { kind: 'prompted', session: 's', text: 'Clean up' },
  { kind: 'turn-ended', session: 's' },
  { kind: 'agent-ended', session: 's', agent: 'a' },
  { kind: 'session-ended', session: 's' },
]

/** Claude Code's form of the answers, which others use too. */
export const claudeReply = (permissionDecision: 'ask' | 'deny'): Printed => ({
  stdout: {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason: REASON,
    },
  },
})

export const CLAUDE_WARNING: Printed = {
  stdout: { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: REASON } },
}
