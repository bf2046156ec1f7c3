import { copilot } from './copilot.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

const SESSION = { sessionId: 'cp-77', timestamp: 1_793_000_000_000, cwd: '/repo' }
const OF = { session: 'cp-77', folder: '/repo' }

const BASH = { toolName: 'bash', toolArgs: { command: 'gh release delete v1', description: 'Remove' } }
const OF_BASH = { ...OF, tool: 'bash', arguments: BASH.toolArgs, isRemote: false }

const EDIT = { path: '/repo/a.py', old_str: 'a', new_str: 'b' }

const after = (resultType: string, event = 'postToolUse') => ({
  payload: { ...SESSION, ...BASH, toolResult: { resultType, textResultForLlm: 'Deleted' } },
  event,
  means: {
    ...OF_BASH,
    kind: 'step-completed' as const,
    result: { resultType, textResultForLlm: 'Deleted' },
    isError: resultType !== 'success',
  },
})

checkReads(copilot, {
  session: 'sessionId',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, ...BASH },
      event: 'preToolUse',
      means: { ...OF_BASH, kind: 'step-proposed', canAsk: true },
    },
    'arguments in a text of JSON': {
      payload: { ...SESSION, ...BASH, toolArgs: JSON.stringify(BASH.toolArgs) },
      event: 'preToolUse',
      means: { ...OF_BASH, kind: 'step-proposed', canAsk: true },
    },
    'an edit before it runs': {
      payload: { ...SESSION, toolName: 'edit', toolArgs: EDIT },
      event: 'preToolUse',
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'edit',
        arguments: EDIT,
        isRemote: false,
        canAsk: true,
      },
    },
    'a patch, which is a text': {
      payload: { ...SESSION, toolName: 'apply_patch', toolArgs: '*** Begin Patch' },
      event: 'preToolUse',
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'apply_patch',
        arguments: { input: '*** Begin Patch' },
        isRemote: false,
        canAsk: true,
      },
    },
    'an MCP call before it runs': {
      payload: { ...SESSION, toolName: 'tracker-close_issue', toolArgs: { id: 4 } },
      event: 'preToolUse',
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'tracker-close_issue',
        arguments: { id: 4 },
        isRemote: true,
        canAsk: true,
      },
    },
    'a sub-agent, which is a call': {
      payload: { ...SESSION, toolName: 'task', toolArgs: { prompt: 'Explore' } },
      event: 'preToolUse',
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'task',
        arguments: { prompt: 'Explore' },
        isRemote: false,
        canAsk: true,
      },
    },
    'a result': after('success'),
    'a result that is a failure': after('failure'),
    'a result that came too late': after('timeout'),
    'a call that was denied and did not run': { ...after('denied'), means: undefined },
    'a call that the user rejected': { ...after('rejected'), means: undefined },
    'a failure': {
      payload: { ...SESSION, ...BASH, error: 'gh: not found' },
      event: 'postToolUseFailure',
      means: { ...OF_BASH, kind: 'step-completed', result: 'gh: not found', isError: true },
    },
    'a prompt': {
      payload: { ...SESSION, prompt: 'Remove the release v1' },
      event: 'userPromptSubmitted',
      means: { ...OF, kind: 'prompted', text: 'Remove the release v1' },
    },
    'the end of a turn': {
      payload: { ...SESSION, transcriptPath: '/t.jsonl', stopReason: 'end_turn', stop_hook_active: false },
      event: 'agentStop',
      means: { ...OF, kind: 'turn-ended' },
    },
    'the end of a session': {
      payload: { ...SESSION, reason: 'user_exit' },
      event: 'sessionEnd',
      means: { ...OF, kind: 'session-ended' },
    },
    'the end of a sub-agent, whose calls have no id of it': {
      payload: { ...SESSION, agentId: 'x', agentType: 'explore', agentName: 'explore', response: 'Found' },
      event: 'subagentStop',
      means: undefined,
    },
  },
})

const answered = (permissionDecision: string) => ({
  stdout: { permissionDecision, permissionDecisionReason: REASON },
})

checkReplies(copilot, proposed(true), {
  allow: {},
  warn: {},
  confirm: answered('ask'),
  block: answered('deny'),
})
checkReplies(copilot, proposed(false), {
  allow: {},
  warn: {},
  confirm: answered('deny'),
  block: answered('deny'),
})
checkOthers(copilot, () => undefined)
