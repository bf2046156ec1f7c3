/** Tools of OpenCode 2 under the names that they had in OpenCode 1. */
const OLD_NAMES = { shell: 'bash', subagent: 'task' }

export interface PluginOptions {
  /** Node, the program of the hook, and its settings file. */
  readonly words: readonly string[]
  /** Whether a call runs if the program cannot be started. */
  readonly failOpen: boolean
}

/**
 * A plugin of OpenCode that starts the program of the hook for each event, and throws where the answer stops the call. `server` is for
 * OpenCode 1.18.29 and later, `setup` for OpenCode 2. What a sub-agent's session is asked comes from an agent, so it is no prompt of the
 * user: `rootID` is the session that the user talks to. Sources: @opencode-ai/plugin 1.18.33, and packages/plugin/src of
 * anomalyco/opencode, November 2026.
 */
export const opencodePlugin = ({ words, failOpen }: PluginOptions): string => `\
// \`plimsoll hook install opencode\` wrote this file, and \`plimsoll hook uninstall opencode\` removes it.
import { spawn } from 'node:child_process'

const [NODE, ...ARGUMENTS] = ${JSON.stringify(words)}
const FAIL_OPEN = ${JSON.stringify(failOpen)}
const OLD_NAMES = ${JSON.stringify(OLD_NAMES)}

/** Resolves with what the program prints. Rejects if it cannot be started, fails, or takes longer than 30 s. */
const run = (payload) =>
  new Promise((resolve, reject) => {
    const child = spawn(NODE, [...ARGUMENTS, payload.event], { timeout: 30_000, windowsHide: true })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(errors.trim() || 'it ended with ' + code))))
    child.stdin.end(JSON.stringify(payload))
  })

/** \`lookup\` finds a session's parent and its folder. */
function connect(lookup, here) {
  const sessions = new Map()

  async function find(id) {
    const known = sessions.get(id)
    if (known) return known
    const { parentID, directory = here } = await lookup(id)
    const parent = parentID ? await find(parentID) : undefined
    const session = { rootID: parent?.rootID ?? id, directory, isChild: parent !== undefined }
    sessions.set(id, session)
    return session
  }

  // Of an unknown session it is not certain that its prompts are the user's.
  const session = (id) => find(id).catch(() => ({ rootID: id, directory: here, isChild: true }))
  const send = async (event, id, more) => {
    const { rootID, directory } = await session(id)
    return run({ event, sessionID: id, rootID, directory, ...more })
  }
  const report = (...event) => send(...event).catch(() => undefined)
  const call = (callID, tool, args) => ({ callID, tool: OLD_NAMES[tool] ?? tool, args })

  return {
    async prompted(id, text) {
      const { isChild } = await session(id)
      if (!isChild && text) await report('chat.message', id, { text })
    },
    async before(id, ...step) {
      let reply
      try {
        reply = JSON.parse(await send('tool.execute.before', id, call(...step)))
      } catch (error) {
        if (FAIL_OPEN) return
        throw new Error('Plimsoll gave no verdict: ' + error.message, { cause: error })
      }
      if (typeof reply.stop === 'string') throw new Error(reply.stop)
    },
    after: (id, callID, tool, args, output) =>
      report('tool.execute.after', id, { ...call(callID, tool, args), output }),
    async ended(event, id) {
      // Others are of no session that called a tool here.
      if (sessions.has(id)) await report(event, id)
      if (event === 'session.deleted') sessions.delete(id)
    },
  }
}

const ENDS = {
  'session.idle': 'session.idle',
  'session.execution.succeeded': 'session.idle',
  'session.execution.failed': 'session.idle',
  'session.execution.interrupted': 'session.idle',
  'session.deleted': 'session.deleted',
}

async function listen(hooks, events) {
  for await (const { type, data } of events)
    if (Object.hasOwn(ENDS, type)) void hooks.ended(ENDS[type], data.sessionID)
}

export default {
  id: 'plimsoll',
  async server({ client, directory }) {
    const hooks = connect(async (id) => (await client.session.get({ path: { id } })).data, directory)
    return {
      'chat.message': ({ sessionID }, { parts }) => {
        const texts = parts.filter(({ type, synthetic, ignored }) => type === 'text' && !synthetic && !ignored)
        return hooks.prompted(sessionID, texts.map(({ text }) => text).join('\\n'))
      },
      'tool.execute.before': ({ sessionID, callID, tool }, { args }) => hooks.before(sessionID, callID, tool, args),
      'tool.execute.after': ({ sessionID, callID, tool, args }, { output, content }) =>
        hooks.after(sessionID, callID, tool, args, output ?? content),
      event: async ({ event: { type, properties } }) => {
        if (Object.hasOwn(ENDS, type)) await hooks.ended(ENDS[type], properties.sessionID ?? properties.info?.id)
      },
    }
  },
  async setup(context) {
    const hooks = connect(async (id) => {
      const { parentID, location } = await context.session.get({ sessionID: id })
      return { parentID, directory: location?.directory }
    })
    await context.session.hook('prompt', ({ sessionID, prompt }) => hooks.prompted(sessionID, prompt.text))
    await context.tool.hook('execute.before', ({ sessionID, id, tool, input }) => hooks.before(sessionID, id, tool, input))
    await context.tool.hook('execute.after', ({ sessionID, id, tool, input, result, error }) =>
      hooks.after(sessionID, id, tool, input, error ? error.message : (result?.content ?? result?.output)),
    )
    const controller = new AbortController()
    listen(hooks, context.event.subscribe({ signal: controller.signal })).catch(() => {})
    return () => controller.abort()
  },
}
`
