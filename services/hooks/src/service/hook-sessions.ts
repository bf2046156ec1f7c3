import type { SessionOptions } from '@plimsoll/client'
import { worldSchema } from '@plimsoll/contracts'
import type { HookAnswer, HookClient, HookEvent } from '../event.js'
import type { HookDoor } from './door.js'
import { type HookSession, createHookSession } from './hook-session.js'

/** Sessions that are held at a time, and how long one may be unused, milliseconds. What a dropped one has read is kept. */
const SESSIONS_MAX = 1_000
const IDLE_MS = 12 * 3_600_000
/** Sub-agents of a conversation at a time: not all clients say that one has ended. */
const AGENTS_MAX = 64
/** What a user says in a session that is kept for its sub-agents: characters of the latest texts. */
const WORDS_CHARS_MAX = 65_536

/** A conversation of a client: its agent, its sub-agents, and what its user has said. */
interface Conversation {
  readonly agents: Map<string, Promise<HookSession>>
  words: string
  usedAt: number
}

/** The agent itself, in a conversation. */
const ITSELF = ''

export type HookSessions = ReturnType<typeof createHookSessions>

/**
 * The sessions of coding agents. A conversation of a client is a session, each of its sub-agents another that starts no safer; all
 * share what they have read. A conversation that is continued after a restart keeps what it has read, but not what its user said.
 */
export function createHookSessions(door: HookDoor, now: () => number = Date.now) {
  const conversations = new Map<string, Conversation>()

  function conversationOf(key: string): Conversation {
    const found = conversations.get(key) ?? { agents: new Map(), words: '', usedAt: 0 }
    conversations.delete(key)
    conversations.set(key, found)
    found.usedAt = now()
    return found
  }

  /** Ends what was not used for long, and the least recently used beyond the limit. */
  async function dropIdle(): Promise<void> {
    for (const [key, { usedAt }] of conversations) {
      if (conversations.size <= SESSIONS_MAX && now() - usedAt <= IDLE_MS) return
      await endConversation(key)
    }
  }

  async function endConversation(key: string): Promise<void> {
    const agents = conversations.get(key)?.agents ?? new Map<string, Promise<HookSession>>()
    conversations.delete(key)
    // Sub-agents first.
    for (const session of [...agents.values()].toReversed())
      await (await session.catch(() => undefined))?.end()
  }

  async function sessionOf(client: HookClient, key: string, event: HookEvent): Promise<HookSession> {
    const conversation = conversationOf(key)
    const agent = 'agent' in event ? (event.agent ?? ITSELF) : ITSELF
    const known = conversation.agents.get(agent)
    if (known) return known
    // Sub-agents inherit from the agent, which may not have acted yet.
    const parent =
      agent === ITSELF ? undefined : await sessionOf(client, key, { ...event, agent: undefined } as HookEvent)
    // Another first call of it may have started it meanwhile.
    const meanwhile = conversation.agents.get(agent)
    if (meanwhile) return meanwhile
    const [, oldest] = conversation.agents.size > AGENTS_MAX ? conversation.agents.keys() : []
    if (oldest !== undefined) void endAgent(key, oldest).catch(() => undefined)
    const started = start(client, key, event, conversation.words, parent)
    conversation.agents.set(agent, started)
    started.catch(() => conversation.agents.delete(agent))
    return started
  }

  async function start(
    { name, title }: HookClient,
    key: string,
    { folder }: HookEvent,
    task: string,
    parent: HookSession | undefined,
  ): Promise<HookSession> {
    const world = worldSchema.safeParse({ folder })
    const options: SessionOptions = {
      category: 'code_debugging',
      agent: name,
      ...(task !== '' && { task }),
      ...(parent && { parent: parent.handover() }),
      ...(world.success && folder !== undefined && { world: world.data }),
    }
    return createHookSession(await door.clientOf(key).startSession(options), door, title)
  }

  /** The session starts with its first step, which knows the folder. */
  async function prompted(key: string, text: string): Promise<void> {
    const conversation = conversationOf(key)
    conversation.words = `${conversation.words}\n${text}`.trim().slice(-WORDS_CHARS_MAX)
    await (await conversation.agents.get(ITSELF))?.instruct(text)
  }

  return {
    /** Rejects as a session's methods do; the hook's process then answers by its fail mode. */
    handle: async (client: HookClient, event: HookEvent): Promise<HookAnswer> => {
      const key = `${client.name}:${event.session}`
      await dropIdle()
      switch (event.kind) {
        case 'step-proposed':
          return (await sessionOf(client, key, event)).proposed(event)
        case 'step-completed':
          await (await sessionOf(client, key, event)).completed(event)
          break
        case 'prompted':
          await prompted(key, event.text)
          break
        case 'turn-ended':
          await closeCalls(key)
          break
        case 'agent-ended':
          if (event.agent !== undefined) await endAgent(key, event.agent)
          break
        case 'session-ended':
          // An agent without a dialog ends, its user approves in a terminal, and it is started again.
          if (!(await closeCalls(key))) await endConversation(key)
      }
      return { verdict: 'allow', text: '' }
    },
    /** Ends all sessions. */
    close: async (): Promise<void> => {
      for (const key of conversations.keys()) await endConversation(key)
    },
    count: () => conversations.size,
  }

  /** Closes the calls of the agent itself; whether requests still wait for a terminal. */
  async function closeCalls(key: string): Promise<boolean> {
    const session = await conversations.get(key)?.agents.get(ITSELF)
    await session?.closeAll()
    return session?.isAwaited() ?? false
  }

  async function endAgent(key: string, agent: string): Promise<void> {
    const agents = conversations.get(key)?.agents
    const session = agents?.get(agent)
    agents?.delete(agent)
    await (await session)?.end()
  }
}
