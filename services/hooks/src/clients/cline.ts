import { type HookClient, type Payload, said } from '../event.js'
import { type EventKinds, firstFolder, kindOf, needed, objectIn, textIn, valueIn } from '../payload.js'

/** A task completes or is cancelled at the end of each turn: it goes on with the user's next prompt. */
const EVENTS: EventKinds = {
  TaskStart: 'prompted',
  UserPromptSubmit: 'prompted',
  PreToolUse: 'step-proposed',
  PostToolUse: 'step-completed',
  TaskComplete: 'turn-ended',
  TaskCancel: 'turn-ended',
}

/** Source: .clinerules/hooks/README.md and proto/cline/hooks.proto of Cline 4.1. A stopped call ends Cline's whole task. */
export const cline: HookClient = {
  name: 'cline',
  title: 'Cline',
  read: (payload, given) => {
    const kind = kindOf(EVENTS, textIn(payload, 'hookName') ?? given ?? '')
    if (kind === undefined) return undefined
    const session = { session: needed(payload, 'taskId'), folder: firstFolder(payload['workspaceRoots']) }
    if (kind === 'prompted') return { kind, ...session, text: wordsOf(payload) }
    if (kind === 'step-proposed')
      return { kind, ...session, ...stepOf(objectIn(payload, 'preToolUse')), canAsk: false }
    if (kind !== 'step-completed') return { kind, ...session }
    const used = objectIn(payload, 'postToolUse')
    const result = valueIn(used, 'result')
    const isError = used['success'] === false
    return { kind, ...session, ...stepOf(used), result: result === LOST ? undefined : result, isError }
  },
  reply: ({ verdict, text }, event) => {
    if (event?.kind !== 'step-proposed' || verdict === 'allow') return said({ cancel: false })
    if (verdict === 'warn') return said({ cancel: false, contextModification: text })
    return said({ cancel: true, errorMessage: text })
  },
  mild: new Set(['read_files', 'read_file', 'search_codebase', 'search_files', 'list_files', 'list_code_definition_names', 'ask_question', 'skills', 'editor', 'write_to_file', 'replace_in_file', 'apply_patch', 'submit_and_exit', 'attempt_completion', 'plan_mode_respond']), // prettier-ignore
}

/** How Cline 4.1 writes a result that is no text. */
const LOST = '[object Object]'

const wordsOf = (payload: Payload): string =>
  textIn(objectIn(payload, 'userPromptSubmit'), 'prompt') ??
  textIn(objectIn(objectIn(payload, 'taskStart'), 'taskMetadata'), 'initialTask') ??
  ''

function stepOf(used: Payload) {
  const tool = needed(used, 'toolName')
  return { tool, arguments: argumentsOf(objectIn(used, 'parameters')), isRemote: /.__./.test(tool) }
}

/** Arguments come as texts; those that hold JSON are read. */
const argumentsOf = (parameters: Payload): Payload =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? plainOf(value) : value,
    ]),
  )

function plainOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
