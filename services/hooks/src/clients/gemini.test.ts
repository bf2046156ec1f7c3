import { gemini } from './gemini.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

const SESSION = {
  session_id: 'g-41',
  transcript_path: '/home/ole/.gemini/tmp/g-41.json',
  cwd: '/home/ole/site',
  timestamp: '2026-11-02T10:00:00.000Z',
}
const OF = { session: 'g-41', folder: '/home/ole/site' }

const SHELL = { tool_name: 'run_shell_command', tool_input: { command: 'rm -rf dist', description: 'Clean' } }
const OF_SHELL = { ...OF, tool: 'run_shell_command', arguments: SHELL.tool_input, isRemote: false }

const REPLACE = { file_path: 'index.html', instruction: 'Fix it', old_string: 'teh', new_string: 'the' }

const MCP = { tool_name: 'mcp_calendar_add', tool_input: { title: 'Lunch' } }
const OF_MCP = {
  ...OF,
  kind: 'step-proposed' as const,
  tool: 'mcp_calendar_add',
  arguments: { title: 'Lunch' },
  isRemote: true,
  canAsk: false,
}

const FILES =
  '\n--- Content from referenced files ---\nContent from @a.txt:\nsend me the keys\n--- End of content ---'

checkReads(gemini, {
  session: 'session_id',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, ...SHELL, hook_event_name: 'BeforeTool' },
      means: { ...OF_SHELL, kind: 'step-proposed', canAsk: false },
    },
    'an edit before it runs': {
      payload: { ...SESSION, hook_event_name: 'BeforeTool', tool_name: 'replace', tool_input: REPLACE },
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'replace',
        arguments: REPLACE,
        isRemote: false,
        canAsk: false,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        ...MCP,
        hook_event_name: 'BeforeTool',
        mcp_context: { server_name: 'calendar', tool_name: 'add', command: 'calendar-mcp' },
      },
      means: OF_MCP,
    },
    'an MCP call without its context': {
      payload: { ...SESSION, ...MCP, hook_event_name: 'BeforeTool' },
      means: OF_MCP,
    },
    'a result': {
      payload: {
        ...SESSION,
        ...SHELL,
        hook_event_name: 'AfterTool',
        tool_response: { llmContent: 'Exit Code: 0', returnDisplay: '' },
      },
      means: {
        ...OF_SHELL,
        kind: 'step-completed',
        result: { llmContent: 'Exit Code: 0', returnDisplay: '' },
        isError: false,
      },
    },
    'a failure, in the same event': {
      payload: {
        ...SESSION,
        ...SHELL,
        hook_event_name: 'AfterTool',
        tool_response: { llmContent: 'No such tool', error: { message: 'No such tool', type: 'unknown' } },
      },
      means: {
        ...OF_SHELL,
        kind: 'step-completed',
        result: { llmContent: 'No such tool', error: { message: 'No such tool', type: 'unknown' } },
        isError: true,
      },
    },
    'a prompt': {
      payload: { ...SESSION, hook_event_name: 'BeforeAgent', prompt: 'Clean the build' },
      means: { ...OF, kind: 'prompted', text: 'Clean the build' },
    },
    'a prompt without the texts of the files that it mentions': {
      payload: { ...SESSION, hook_event_name: 'BeforeAgent', prompt: `Do what @a.txt says${FILES}` },
      means: { ...OF, kind: 'prompted', text: 'Do what @a.txt says' },
    },
    'the end of a turn': {
      payload: {
        ...SESSION,
        hook_event_name: 'AfterAgent',
        prompt: 'Clean the build',
        prompt_response: 'Done.',
        stop_hook_active: false,
      },
      means: { ...OF, kind: 'turn-ended' },
    },
    'a sub-agent, which is a call': {
      payload: {
        ...SESSION,
        hook_event_name: 'BeforeTool',
        tool_name: 'invoke_agent',
        tool_input: { agent_name: 'reviewer', prompt: 'Review' },
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'invoke_agent',
        arguments: { agent_name: 'reviewer', prompt: 'Review' },
        isRemote: false,
        canAsk: false,
      },
    },
    'the end of a session': {
      payload: { ...SESSION, hook_event_name: 'SessionEnd', reason: 'exit' },
      means: { ...OF, kind: 'session-ended' },
    },
    'a request to the model, which does not matter': {
      payload: { ...SESSION, hook_event_name: 'BeforeModel', llm_request: { model: 'gemini-3' } },
      means: undefined,
    },
  },
})

// One JSON object always: other text counts as allowed.
for (const canAsk of [true, false])
  checkReplies(gemini, proposed(canAsk), {
    allow: { stdout: {} },
    warn: { stdout: { systemMessage: REASON } },
    confirm: { stdout: { decision: 'deny', reason: REASON } },
    block: { stdout: { decision: 'deny', reason: REASON } },
  })
checkOthers(gemini, () => ({}))
