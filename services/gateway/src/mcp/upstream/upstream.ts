import { PlimsollError } from '@plimsoll/contracts'
import { createBackoff } from '@plimsoll/runtime'
import { type Era, LEGACY, MODERN } from '../rpc/messages.js'
import type { ServerSpec } from '../servers-file.js'
import { type ClientIdentity, type Link, type LinkHooks, connectLink } from './link.js'
import type { UpstreamOptions } from './transport.js'

/** One MCP server behind the proxy. */
export interface Upstream {
  readonly name: string
  readonly spec: ServerSpec
  /** Connects for one client, in its era if the server speaks it. Rejects with `tool_server_failed`. */
  connect(client: ClientIdentity, hooks: LinkHooks): Promise<Link>
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, spec, logger } = options
  const backoff = createBackoff({ firstMs: 250, maxMs: 15_000 })
  let notBefore = 0
  let lastFailure = ''
  /** Eras that the server was found not to speak. */
  const refused = new Set<Era>()

  function erasFor({ era }: ClientIdentity): readonly Era[] {
    const { protocol = 'command' in spec ? LEGACY : 'auto' } = spec
    if (protocol !== 'auto') return [protocol]
    const eras = era === MODERN ? [MODERN, LEGACY] : [LEGACY, MODERN]
    return eras.toSorted((a, b) => Number(refused.has(a)) - Number(refused.has(b)))
  }

  async function connectInSome(client: ClientIdentity, hooks: LinkHooks): Promise<Link> {
    const eras = erasFor(client)
    let failure: unknown
    let found: Link | undefined
    for (const era of eras)
      try {
        const link = await connectLink({ ...options, client, hooks }, era)
        await found?.close()
        if (eras.length === 1 || era === MODERN || !link.isStateless) return link
        // In the other era it may be able to ask its client, and to tell of changes.
        found = link
      } catch (cause) {
        if (eras.length > 1) refused.add(era)
        failure ??= cause
      }
    if (found) return found
    refused.clear()
    throw failure
  }

  return {
    name,
    spec,
    connect: async (client, hooks) => {
      const failed = (why: string, cause?: unknown): PlimsollError =>
        new PlimsollError('tool_server_failed', `MCP server \`${name}\`: ${why}`, { cause })
      if (Date.now() < notBefore) throw failed(`it failed to start a moment ago: ${lastFailure}`)
      try {
        const link = await connectInSome(client, hooks)
        backoff.reset()
        logger.info('an MCP server is connected', { server: name, protocol: link.about.revision })
        return link
      } catch (cause) {
        notBefore = Date.now() + backoff.next()
        lastFailure = reasonOf(cause)
        throw cause instanceof PlimsollError ? cause : failed(lastFailure, cause)
      }
    },
  }
}

/** Why something failed, on one line. */
export function reasonOf(failure: unknown): string {
  const [line = ''] = (failure instanceof Error ? failure.message : String(failure)).split('\n')
  const [, program] = /^spawn (.+) ENOENT$/.exec(line) ?? []
  if (program !== undefined) return `there is no program \`${program}\``
  // `fetch` says in the cause what failed.
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : undefined
  const [more = ''] = (cause?.message || codeOf(cause)).split('\n')
  return line.includes(more) ? line : `${line}: ${more}`
}

const codeOf = (error?: NodeJS.ErrnoException): string => error?.code ?? ''
