import { opencode } from './opencode.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

/** As the plugin sends them. */
const SESSION = { sessionID: 'ses_1', directory: '/code/lib' }
const OF = { session: 'ses_1', folder: '/code/lib' }
const SUB = { sessionID: 'ses_2', rootID: 'ses_1', directory: '/code/lib' }

const BASH = { tool: 'bash', callID: 'call_a', args: { command: 'git push --force' } }
const OF_BASH = { ...OF, call: 'call_a', tool: 'bash', arguments: BASH.args, isRemote: false }

const EDIT = { filePath: '/code/lib/a.go', oldString: 'x', newString: 'y' }

checkReads(opencode, {
  session: 'sessionID',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, ...BASH, event: 'tool.execute.before' },
      means: { ...OF_BASH, kind: 'step-proposed', canAsk: false },
    },
    'an edit before it runs': {
      payload: { ...SESSION, event: 'tool.execute.before', tool: 'edit', callID: 'call_b', args: EDIT },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call_b',
        tool: 'edit',
        arguments: EDIT,
        isRemote: false,
        canAsk: false,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        event: 'tool.execute.before',
        tool: 'tracker_close',
        callID: 'call_c',
        args: { id: 4 },
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        call: 'call_c',
        tool: 'tracker_close',
        arguments: { id: 4 },
        isRemote: true,
        canAsk: false,
      },
    },
    'a call of a sub-agent': {
      payload: { ...SUB, ...BASH, event: 'tool.execute.before' },
      means: { ...OF_BASH, agent: 'ses_2', kind: 'step-proposed', canAsk: false },
    },
    'a call of the agent, whose session is the root': {
      payload: { ...SESSION, ...BASH, rootID: 'ses_1', event: 'tool.execute.before' },
      means: { ...OF_BASH, kind: 'step-proposed', canAsk: false },
    },
    'a result': {
      payload: { ...SESSION, ...BASH, event: 'tool.execute.after', output: 'Everything up-to-date' },
      means: { ...OF_BASH, kind: 'step-completed', result: 'Everything up-to-date', isError: false },
    },
    'a result of a sub-agent': {
      payload: { ...SUB, ...BASH, event: 'tool.execute.after', output: '' },
      means: { ...OF_BASH, agent: 'ses_2', kind: 'step-completed', result: '', isError: false },
    },
    // A call that throws has no event after it.
    'a completed call without its result': {
      payload: { ...SESSION, ...BASH, event: 'tool.execute.after' },
      means: { ...OF_BASH, kind: 'step-completed', result: undefined, isError: false },
    },
    'a prompt': {
      payload: { ...SESSION, event: 'chat.message', text: 'Push it' },
      means: { ...OF, kind: 'prompted', text: 'Push it' },
    },
    'what starts a sub-agent': {
      payload: { ...SUB, event: 'chat.message', text: 'Delete the tags' },
      means: undefined,
    },
    'the end of a turn': {
      payload: { ...SESSION, event: 'session.idle' },
      means: { ...OF, kind: 'turn-ended' },
    },
    'the end of a sub-agent': {
      payload: { ...SUB, event: 'session.idle' },
      means: { ...OF, kind: 'agent-ended', agent: 'ses_2' },
    },
    'the end of a session': {
      payload: { ...SESSION, event: 'session.deleted' },
      means: { ...OF, kind: 'session-ended' },
    },
    'an error, which does not matter': { payload: { ...SESSION, event: 'session.error' }, means: undefined },
  },
})

for (const canAsk of [true, false])
  checkReplies(opencode, proposed(canAsk), {
    allow: { stdout: {} },
    warn: { stdout: {} },
    confirm: { stdout: { stop: REASON } },
    block: { stdout: { stop: REASON } },
  })
checkOthers(opencode, () => ({}))
