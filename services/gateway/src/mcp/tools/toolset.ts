import type { Catalogue } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import type { Tool } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { WithheldReason } from '../../metrics.js'
import { reasonOf } from '../upstream/upstream.js'
import { type Offer, type OfferedTool, type ToolSource, type WithheldTool, offerOf } from './offer.js'
import { type PinStore, type ServerPins, pinsOf, stateOf } from './pins.js'

export interface ToolsetOptions {
  readonly sources: readonly ToolSource[]
  readonly pins: PinStore
  readonly catalogue: Catalogue
  readonly requireLabels: boolean
  /** Whether the tools of a server that was never approved are approved at first sight. */
  readonly approvesFirst: boolean
  /** Whether tools that a server adds later are offered without an approval. */
  readonly allowsNew: boolean
  readonly now: () => number
  readonly logger: Logger
  /** Called for each withheld tool, each time it is seen. */
  readonly onWithheld: (tool: WithheldTool) => void
}

/** How long a list is reused: a client that lists in a loop must not load the servers. */
const FRESH_MS = 1_000

/** Reports remembered, so that each is logged once. */
const REPORTED_MAX = 4_096

/** Logs and counts each withheld tool, once for each reason. */
export function createWithheldReport({
  logger,
  onWithheld,
}: {
  readonly logger: Logger
  readonly onWithheld: (reason: WithheldReason) => void
}): (tool: WithheldTool) => void {
  const reported = new LRUCache<string, true>({ max: REPORTED_MAX })
  return ({ name, server, reason, why }) => {
    const key = JSON.stringify([server, name, reason, why])
    if (reported.has(key)) return
    reported.set(key, true)
    onWithheld(reason)
    logger.warn('a tool is withheld', { server, tool: name, why })
  }
}

export type Toolset = ReturnType<typeof createToolset>

/** The tools of all servers, under unique names. */
export function createToolset(options: ToolsetOptions) {
  const { sources, pins, catalogue, requireLabels, approvesFirst, allowsNew, now, logger, onWithheld } =
    options
  const offers = new Map<string, Promise<Offer>>()
  let listedAt = 0
  let listed: readonly string[] | undefined
  const listeners = new Set<() => void>()

  async function look(source: ToolSource): Promise<Offer> {
    const tools = await source.tools()
    const approved = (await pins.of(source.name)) ?? (await firstPins(source, tools))
    const known = allowsNew ? await withNew(source, tools, approved) : approved
    const offer = offerOf(source, tools, { pins: known, catalogue, requireLabels, allowsNew })
    for (const tool of offer.withheld) onWithheld(tool)
    return offer
  }

  async function firstPins({ name }: ToolSource, tools: readonly Tool[]): Promise<ServerPins> {
    if (!approvesFirst) return {}
    const first = pinsOf(tools, now())
    await pins.put(name, first)
    logger.info("an MCP server's tools are approved at first sight", { server: name, tools: tools.length })
    return first
  }

  /** Pins new tools as they are seen first: a later change of theirs is withheld. */
  async function withNew(
    { name }: ToolSource,
    tools: readonly Tool[],
    known: ServerPins,
  ): Promise<ServerPins> {
    const added = tools.filter((tool) => stateOf(tool, known).state === 'new')
    if (added.length === 0) return known
    const all = { ...known, ...pinsOf(added, now(), true) }
    await pins.put(name, all)
    logger.warn('new tools of an MCP server are offered without an approval', {
      server: name,
      tools: added.map((tool) => tool.name),
    })
    return all
  }

  function offerFrom(source: ToolSource): Promise<Offer> {
    const known = offers.get(source.name)
    if (known) return known
    const looking = look(source)
    offers.set(source.name, looking)
    looking.catch(() => {
      if (offers.get(source.name) === looking) offers.delete(source.name)
    })
    return looking
  }

  /** A server that fails offers nothing; the others still do. Rejects with `tool_server_failed` if all fail. */
  async function all(): Promise<Offer> {
    const failures: unknown[] = []
    const each = await Promise.all(
      sources.map((source) =>
        offerFrom(source).catch((error: unknown): Offer => {
          logger.warn('an MCP server lists no tools', { server: source.name, why: reasonOf(error) })
          failures.push(error)
          return { offered: [], withheld: [] }
        }),
      ),
    )
    if (failures.length === sources.length) throw failures[0]
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
    /** The tools offered to agents. A server that cannot be reached offers none until it can. Rejects as `all` does. */
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
