import type { Catalogue } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import type { Tool } from '@modelcontextprotocol/server'
import { reasonOf, type Upstream } from '../upstream/upstream.js'
import { offerOf, type Offer, type OfferedTool, type WithheldReason, type WithheldTool } from './offer.js'
import { pinsOf, type ServerPins } from './pins.js'
import type { PinStore } from './pin-store.js'

/** The tools of all servers, under names that no two have. */
export interface Toolset {
  /** What agents are offered, looked at again. A server that cannot be reached offers nothing until it can be. */
  list(): Promise<readonly OfferedTool[]>
  find(name: string): Promise<OfferedTool | WithheldTool | undefined>
  /** Tells `listener` whenever the list may be another; gives what ends that. */
  onChanged(listener: () => void): () => void
}

export interface ToolsetOptions {
  readonly upstreams: readonly Upstream[]
  readonly pins: PinStore
  readonly catalogue: Catalogue
  readonly requireLabels: boolean
  /** Whether a server that was never approved is taken as it is when it is first seen. */
  readonly approvesFirst: boolean
  readonly now: () => number
  readonly logger: Logger
  /** Told of each tool that comes to be withheld, once for each state of it. */
  readonly onWithheld: (reason: WithheldReason) => void
}

export interface ManagedToolset extends Toolset {
  /** The list of this server may be another: it is looked at when it is next needed. */
  changed(server: string): void
}

/** A list is not asked for again within this time: anyone who lists in a loop is to cost the servers nothing. */
const FRESH_MS = 1_000

/** Things told that are remembered; a server that changes without end is told of again. */
const LOGGED_MAX = 4_096

export function createToolset(options: ToolsetOptions): ManagedToolset {
  const { upstreams, pins, catalogue, requireLabels, approvesFirst, now, logger, onWithheld } = options
  const offers = new Map<string, Promise<Offer>>()
  let listedAt = 0
  const listeners = new Set<() => void>()
  const reported = new Set<string>()

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
    logger.info("an MCP server's tools are pinned as they are", { server: name, tools: tools.length })
    return first
  }

  function report({ withheld }: Offer): void {
    for (const { name, server, reason, why } of withheld) {
      const key = JSON.stringify([server, name, reason, why])
      if (reported.has(key)) continue
      if (reported.size >= LOGGED_MAX) reported.clear()
      reported.add(key)
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

  /** Of a server that fails, nothing: the others serve on. */
  async function offerOrNone(upstream: Upstream): Promise<Offer> {
    try {
      return await offerFrom(upstream)
    } catch (error) {
      logger.warn('an MCP server lists no tools', { server: upstream.name, why: reasonOf(error) })
      return { offered: [], withheld: [] }
    }
  }

  async function all(): Promise<Offer> {
    const each = await Promise.all(upstreams.map(offerOrNone))
    return {
      offered: each.flatMap(({ offered }) => offered),
      withheld: each.flatMap(({ withheld }) => withheld),
    }
  }

  const named = ({ offered, withheld }: Offer, name: string): OfferedTool | WithheldTool | undefined =>
    offered.find((tool) => tool.name === name) ?? withheld.find((tool) => tool.name === name)

  async function find(name: string): Promise<OfferedTool | WithheldTool | undefined> {
    const found = named(await all(), name)
    if (!found || !('reason' in found)) return found
    // Somebody may have approved it in the meantime.
    offers.delete(found.server)
    return named(await all(), name)
  }

  return {
    list: async () => {
      if (now() - listedAt >= FRESH_MS) {
        listedAt = now()
        offers.clear()
      }
      return (await all()).offered
    },
    find,
    onChanged: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    changed: (server) => {
      offers.delete(server)
      for (const listener of listeners) listener()
    },
  }
}
