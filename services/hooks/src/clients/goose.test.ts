import { goose } from './goose.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

const SESSION = { session_id: '20261105_2', working_dir: '/home/kai/bot' }
const OF = { session: '20261105_2', folder: '/home/kai/bot' }

const SHELL = {
  matcher_context: 'developer__shell',
  tool_name: 'developer__shell',
  tool_input: { command: 'crontab -r' },
  tool_call_id: 'call-8',
}
const OF_SHELL = {
  ...OF,
  call: 'call-8',
  tool: 'developer__shell',
  arguments: SHELL.tool_input,
  isRemote: false,
}

const EDIT = { path: 'a.rs', before: 'x', after: 'y' }

checkReads(goose, {
  session: 'session_id',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, ...SHELL, event: 'PreToolUse' },
      means: { ...OF_SHELL, kind: 'step-proposed', canAsk: false },
    },
    'an edit before it runs': {
      payload: {
        ...SESSION,
        event: 'PreToolUse',
        tool_name: 'developer__edit',
        tool_input: EDIT,
        tool_call_id: 'call-9',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call-9',
        tool: 'developer__edit',
        arguments: EDIT,
        isRemote: false,
        canAsk: false,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        event: 'PreToolUse',
        tool_name: 'calendar__delete',
        tool_input: { id: 5 },
        tool_call_id: 'call-10',
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call-10',
        tool: 'calendar__delete',
        arguments: { id: 5 },
        isRemote: true,
        canAsk: false,
      },
    },
    'a result': {
      payload: { ...SESSION, ...SHELL, event: 'PostToolUse', tool_output: [{ type: 'text', text: 'ok' }] },
      means: {
        ...OF_SHELL,
        kind: 'step-completed',
        result: [{ type: 'text', text: 'ok' }],
        isError: false,
      },
    },
    'a completed call as documented, without its result': {
      payload: { ...SESSION, ...SHELL, event: 'PostToolUse' },
      means: { ...OF_SHELL, kind: 'step-completed', result: undefined, isError: false },
    },
    'a failure': {
      payload: { ...SESSION, ...SHELL, event: 'PostToolUseFailure', tool_output: 'no crontab for kai' },
      means: { ...OF_SHELL, kind: 'step-completed', result: 'no crontab for kai', isError: true },
    },
    'a prompt, which has no folder': {
      payload: {
        event: 'UserPromptSubmit',
        session_id: '20261105_2',
        matcher_context: 'Clear the jobs',
        message: 'Clear the jobs',
      },
      means: { session: '20261105_2', kind: 'prompted', text: 'Clear the jobs' },
    },
    'the end of a turn': {
      payload: { event: 'Stop', session_id: '20261105_2', last_assistant_message: 'Done.' },
      means: { session: '20261105_2', kind: 'turn-ended' },
    },
    'the end of a session': {
      payload: { event: 'SessionEnd', session_id: '20261105_2' },
      means: { session: '20261105_2', kind: 'session-ended' },
    },
    'its own account of a decision, which does not matter': {
      payload: { ...SESSION, ...SHELL, event: 'PreToolUseResult', decision: 'deny', blocked_by: 'plimsoll' },
      means: undefined,
    },
    'a command in its second event, which does not matter': {
      payload: { ...SESSION, ...SHELL, event: 'BeforeShellExecution', matcher_context: 'crontab -r' },
      means: undefined,
    },
  },
})

// Nothing on stdout allows; other text counts as no decision.
for (const canAsk of [true, false])
  checkReplies(goose, proposed(canAsk), {
    allow: {},
    warn: {},
    confirm: { stdout: { decision: 'block', reason: REASON } },
    block: { stdout: { decision: 'block', reason: REASON } },
  })
checkOthers(goose, () => undefined)
