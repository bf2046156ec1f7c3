import { cline } from './cline.js'
import { REASON, checkOthers, checkReads, checkReplies, proposed } from './check-client.js'

const SESSION = {
  clineVersion: '4.1.13',
  timestamp: '1793000000000',
  taskId: 'task-6',
  workspaceRoots: ['/data/etl', '/data/lib'],
  userId: 'u',
  model: { provider: 'anthropic', slug: 'claude' },
}
const OF = { session: 'task-6', folder: '/data/etl' }

const RUN = { toolName: 'run_commands', parameters: { commands: '["dvc gc -w -f"]', timeout: '30' } }
const OF_RUN = {
  ...OF,
  tool: 'run_commands',
  arguments: { commands: ['dvc gc -w -f'], timeout: '30' },
  isRemote: false,
}

const after = (result: unknown, success = true) => ({
  payload: {
    ...SESSION,
    hookName: 'PostToolUse',
    postToolUse: { ...RUN, result, success, executionTimeMs: 12 },
  },
  means: { ...OF_RUN, kind: 'step-completed' as const, result, isError: !success },
})

const ended = (hookName: string) => ({
  payload: {
    ...SESSION,
    hookName,
    [hookName === 'TaskComplete' ? 'taskComplete' : 'taskCancel']: { taskMetadata: { taskId: 'task-6' } },
  },
  means: { ...OF, kind: 'turn-ended' as const },
})

checkReads(cline, {
  session: 'taskId',
  samples: {
    'a shell call before it runs': {
      payload: { ...SESSION, hookName: 'PreToolUse', preToolUse: RUN },
      means: { ...OF_RUN, kind: 'step-proposed', canAsk: false },
    },
    'an edit before it runs': {
      payload: {
        ...SESSION,
        hookName: 'PreToolUse',
        preToolUse: {
          toolName: 'editor',
          parameters: { path: 'a.py', old_text: 'x', new_text: '{ not JSON' },
        },
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'editor',
        arguments: { path: 'a.py', old_text: 'x', new_text: '{ not JSON' },
        isRemote: false,
        canAsk: false,
      },
    },
    'an MCP call before it runs': {
      payload: {
        ...SESSION,
        hookName: 'PreToolUse',
        preToolUse: { toolName: 'warehouse__drop', parameters: { table: 'orders' } },
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'warehouse__drop',
        arguments: { table: 'orders' },
        isRemote: true,
        canAsk: false,
      },
    },
    'a sub-agent, which is a call': {
      payload: {
        ...SESSION,
        hookName: 'PreToolUse',
        preToolUse: { toolName: 'spawn_agent', parameters: { task: 'Look' } },
      },
      means: {
        ...OF,
        kind: 'step-proposed',
        tool: 'spawn_agent',
        arguments: { task: 'Look' },
        isRemote: false,
        canAsk: false,
      },
    },
    'a folder with a name': {
      payload: { ...SESSION, hookName: 'TaskCancel', workspaceRoots: [{ path: '/data/etl', name: 'etl' }] },
      means: { ...OF, kind: 'turn-ended' },
    },
    'a result': after('Removed 3'),
    'a result that it has lost': {
      ...after('[object Object]'),
      means: { ...OF_RUN, kind: 'step-completed', result: undefined, isError: false },
    },
    'a failure': after('Not a repository', false),
    'the start of a task': {
      payload: {
        ...SESSION,
        hookName: 'TaskStart',
        taskStart: { taskMetadata: { taskId: 'task-6', ulid: '', initialTask: 'Clean the cache' } },
      },
      means: { ...OF, kind: 'prompted', text: 'Clean the cache' },
    },
    'a prompt': {
      payload: {
        ...SESSION,
        hookName: 'UserPromptSubmit',
        userPromptSubmit: { prompt: 'Go on', attachments: [] },
      },
      means: { ...OF, kind: 'prompted', text: 'Go on' },
    },
    // Each turn is a run, and the task goes on with the next prompt. It does not say when a session ends.
    'the end of a turn': ended('TaskComplete'),
    'a turn that the user stopped': ended('TaskCancel'),
    'a notification, which does not matter': {
      payload: { ...SESSION, hookName: 'Notification', notification: { event: 'x' } },
      means: undefined,
    },
  },
})

for (const canAsk of [true, false])
  checkReplies(cline, proposed(canAsk), {
    allow: { stdout: { cancel: false } },
    warn: { stdout: { cancel: false, contextModification: REASON } },
    confirm: { stdout: { cancel: true, errorMessage: REASON } },
    block: { stdout: { cancel: true, errorMessage: REASON } },
  })
checkOthers(cline, () => ({ cancel: false }))
