import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client'
import { type Members, LEGACY, invalid, metaIn, textMember, withMeta } from '../rpc/messages.js'
import type { ClientIdentity } from '../upstream/link.js'
import type { Exchange } from './exchange.js'
import type { Links } from './links.js'

/** Severity of log messages, rising. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export interface LogLevelsOptions {
  readonly client: Pick<ClientIdentity, 'era'>
  readonly links: Links
  /** Longest wait for a server that is given a level, milliseconds. */
  readonly callMs: number
}

/**
 * Which log messages a client wants. One of the 2025 era says it once for its connection (`logging/setLevel`), one of the 2026 era in each
 * request's `_meta`.
 */
export function createLogLevels({ client, links, callMs }: LogLevelsOptions) {
  /** The lowest level that a client of the 2025 era wants. */
  let level: string | undefined
  /** The level that each server of the 2025 era has been given. */
  const given = new Map<string, string>()

  /** A client of the 2026 era gets logs only for requests that want them. */
  function wantsLog(params: Members | undefined, asking: Members | undefined): boolean {
    if (client.era === LEGACY) return true
    const wanted = textMember(metaIn(asking), LOG_LEVEL_META_KEY)
    return wanted !== undefined && LEVELS.indexOf(textMember(params, 'level') ?? '') >= LEVELS.indexOf(wanted)
  }

  return {
    wantsLog,
    /** Whether a client gets warnings now: one of the 2025 era as long as it has not asked for less. */
    wantsNotices: ({ params }: Exchange): boolean => {
      if (client.era !== LEGACY) return wantsLog({ level: 'warning' }, params)
      return level === undefined || LEVELS.indexOf(level) <= LEVELS.indexOf('warning')
    },
    /** The request with the level that its client of the 2025 era has set. */
    withLevel: (exchange: Exchange): Exchange =>
      client.era === LEGACY && level !== undefined
        ? { ...exchange, params: withMeta(exchange.params, { [LOG_LEVEL_META_KEY]: level }) }
        : exchange,
    /** Gives a server of the 2025 era the level that a request of the 2026 era names. */
    pass: async (server: string, { params, client: { era } }: Exchange): Promise<void> => {
      const wanted = textMember(metaIn(params), LOG_LEVEL_META_KEY)
      if (era === LEGACY || wanted === undefined || given.get(server) === wanted) return
      const link = await links.of(server)
      if (link.era !== LEGACY || !('logging' in link.about.capabilities)) return
      given.set(server, wanted)
      await link
        .request({ method: 'logging/setLevel', params: { level: wanted } }, { idleMs: callMs })
        .catch(() => {})
    },
    /** Answers `logging/setLevel`. */
    set: async (exchange: Exchange): Promise<Members> => {
      level = textMember(exchange.params, 'level')
      if (level === undefined || !LEVELS.includes(level)) throw invalid('expected a `level`')
      for (const server of links.names) {
        const link = await links.of(server).catch(() => undefined)
        if (link?.era === LEGACY && 'logging' in link.about.capabilities)
          await links.request(server, { method: 'logging/setLevel', params: exchange.params }, exchange)
      }
      return {}
    },
    /** A new process of the server has no level. */
    forget: (server: string): void => void given.delete(server),
  }
}
