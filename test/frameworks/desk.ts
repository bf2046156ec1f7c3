import type { TestContext } from 'node:test'
import { createGuard, type Guard, type OnConfirm, type Session } from '@plimsoll/client'
import { defaultDocuments, type Documents } from '@plimsoll/policy'

/** One call that a scripted model makes. */
export interface ScriptedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Made up by the framework, or the script's place, where it is left out. */
  readonly id?: string
}

/** What a scripted model does, turn by turn; then it says that it is done. */
export type Script = readonly (readonly ScriptedCall[])[]

/** A desk's worth of tools, a guard over them, and what ran of them. */
export interface Desk {
  readonly guard: Guard
  readonly session: Session
  readonly tools: readonly DeskTool[]
  /** Calls in the order in which their tools began to run. */
  readonly ran: readonly ScriptedCall[]
  /** Tools by these names throw the next time that they run. */
  readonly failing: Set<string>
  /** Codes of the reasons of alerts. */
  readonly alerts: readonly string[]
  /** What the human at the desk says where one is asked, as an adapter's `onConfirm`. */
  readonly onConfirm: OnConfirm
}

export interface DeskTool {
  readonly name: string
  readonly description: string
  run(values: Readonly<Record<string, unknown>>): string
}

export interface DeskOptions {
  readonly resolution?: 'approved' | 'denied'
}

/** What `read_email` gives. */
export const LETTER = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'

const RESULTS: Readonly<Record<string, string>> = {
  list_files: 'ledger.txt',
  delete_file: 'deleted',
  read_email: LETTER,
  send_email: 'sent',
  refund: 'refunded',
  // In no catalogue.
  stamp_form: 'stamped',
}

/** What the agents of the desk are asked for, so that they may. */
export const DESK_TASK = 'See to the desk: reply to mail, and delete files that are no longer needed.'

export async function createDesk(
  t: Pick<TestContext, 'after'>,
  { resolution = 'denied' }: DeskOptions = {},
): Promise<Desk> {
  const alerts: string[] = []
  const guard = await createGuard({
    documents: await deskDocuments(),
    onDecision: ({ kind, reasons }) => {
      if (kind === 'alert') alerts.push(...reasons.map(({ code }) => code))
    },
  })
  t.after(() => guard.close())
  const ran: ScriptedCall[] = []
  const failing = new Set<string>()
  const toolOf = ([name, result]: [string, string]): DeskTool => ({
    name,
    description: `The desk's ${name}.`,
    run: (values) => {
      ran.push({ tool: name, arguments: { ...values } })
      if (failing.delete(name)) throw new Error('the disk is gone')
      return result
    },
  })
  return {
    guard,
    session: await guard.startSession({ category: 'research_comms', task: DESK_TASK }),
    tools: Object.entries(RESULTS).map(toolOf),
    ran,
    failing,
    alerts,
    onConfirm: async () => ({ by: 'ada', resolution }),
  }
}

/** Read once: each case has a desk of its own. */
const DEFAULTS = defaultDocuments()

/** The documents that ship; a refund is asked about, and nothing is deleted unless files were listed and that went well. */
async function deskDocuments(): Promise<Documents> {
  const documents = await DEFAULTS
  const { policy } = documents
  const specs: Documents['policy']['specs'] = [
    ...policy.specs,
    { id: 'ask-refund', tier: 'confirmation', tools: ['refund'] },
    { id: 'look-first', tier: 'mustlist', tools: ['delete_file'], requires: { tools: ['list_files'] } },
  ]
  return { ...documents, policy: { ...policy, name: 'desk', specs } }
}
