import type { Catalogue } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import type { Tool } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { WithheldReason } from '../../metrics.js'
import { type Upstream, reasonOf } from '../upstream/upstream.js'
import { type Offer, type OfferedTool, type WithheldTool, offerOf } from './offer.js'
import { type PinStore, type ServerPins, pinsOf } from './pins.js'

export interface ToolsetOptions {
  readonly upstreams: readonly Upstream[]
  readonly pins: PinStore
  readonly catalogue: Catalogue
  readonly requireLabels: boolean
  /** Whether the tools of a server that was never approved are approved at first sight. */
  readonly approvesFirst: boolean
  readonly now: () => number
  readonly logger: Logger
  /** Called for each withheld tool, once for each reason. */
  readonly onWithheld: (reason: WithheldReason) => void
}

/** How long a list is reused: a client that lists in a loop must not load the servers. */
const FRESH_MS = 1_000

/** Reports remembered, so that each is logged once. */
const REPORTED_MAX = 4_096

export type Toolset = ReturnType<typeof createToolset>

/** The tools of all servers, under unique names. */
export function createToolset(options: ToolsetOptions) {
  const { upstreams, pins, catalogue, requireLabels, approvesFirst, now, logger, onWithheld } = options
  const offers = new Map<string, Promise<Offer>>()
  let listedAt = 0
  let listed: readonly string[] | undefined
  const listeners = new Set<() => void>()
  const reported = new LRUCache<string, true>({ max: REPORTED_MAX })

  async function look(upstream: Upstream): Promise<Offer> {
    const tools = await upstream.tools()
    const known = (await pins.of(upstream.name)) ?? (await firstPins(upstream, tools))
    const offer = offerOf(upstream, tools, { pins: known, catalogue, requireLabels })
    report(offer)
    return offer
  }

  async function firstPins({ name }: Upstream, tools: readonly Tool[]): Promise<ServerPins> {
    if (!approvesFirst) return {}
    const first = pinsOf(tools, now())
    await pins.put(name, first)
    logger.info("an MCP server's tools are approved at first sight", { server: name, tools: tools.length })
    return first
  }

  function report({ withheld }: Offer): void {
    for (const { name, server, reason, why } of withheld) {
      const key = JSON.stringify([server, name, reason, why])
      if (reported.has(key)) continue
      reported.set(key, true)
      onWithheld(reason)
      logger.warn('a tool is withheld', { server, tool: name, why })
    }
  }

  function offerFrom(upstream: Upstream): Promise<Offer> {
    const known = offers.get(upstream.name)
    if (known) return known
    const looking = look(upstream)
    offers.set(upstream.name, looking)
    looking.catch(() => {
      if (offers.get(upstream.name) === looking) offers.delete(upstream.name)
    })
    return looking
  }

  /** A server that fails offers nothing; the others still do. */
  async function all(): Promise<Offer> {
    const each = await Promise.all(
      upstreams.map((upstream) =>
        offerFrom(upstream).catch((error: unknown): Offer => {
          logger.warn('an MCP server lists no tools', { server: upstream.name, why: reasonOf(error) })
          return { offered: [], withheld: [] }
        }),
      ),
    )
    const offered = each.flatMap((offer) => offer.offered)
    const names = offered.map(({ asked }) => asked)
    // The same array as long as nothing changes: what is made of it is made once.
    if (names.join('\n') !== listed?.join('\n')) listed = names
    return { offered, withheld: each.flatMap(({ withheld }) => withheld) }
  }

  const named = ({ offered, withheld }: Offer, name: string): OfferedTool | WithheldTool | undefined =>
    offered.find((tool) => tool.name === name) ?? withheld.find((tool) => tool.name === name)

  async function find(name: string): Promise<OfferedTool | WithheldTool | undefined> {
    const found = named(await all(), name)
    if (!found || !('reason' in found)) return found
    // It may have been approved meanwhile.
    offers.delete(found.server)
    return named(await all(), name)
  }

  return {
    /** The tools offered to agents. A server that cannot be reached offers none until it can. */
    list: async (): Promise<readonly OfferedTool[]> => {
      if (now() - listedAt >= FRESH_MS) {
        listedAt = now()
        offers.clear()
      }
      return (await all()).offered
    },
    /** The names, in catalogue and policy, of the tools that were last offered; undefined before. */
    names: (): readonly string[] | undefined => listed,
    find,
    /** Calls `listener` whenever the list may have changed; returns a function that stops it. */
    onChanged: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Notes that a server's list may have changed. */
    changed: (server: string): void => {
      offers.delete(server)
      for (const listener of listeners) listener()
    },
  }
}
