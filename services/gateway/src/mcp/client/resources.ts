import type { Logger } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import { type Members, type Sent, invalid, isObject, membersIn, textMember } from '../rpc/messages.js'
import { reasonOf } from '../upstream/upstream.js'
import type { Exchange } from './exchange.js'
import type { Links } from './links.js'

/** Resources whose server is remembered, and items of one list. */
const REMEMBERED_MAX = 10_000
const PAGES_MAX = 100

const ITEMS = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const
export type ListMethod = keyof typeof ITEMS
export const isListMethod = (method: string): method is ListMethod => Object.hasOwn(ITEMS, method)

/** Between a server's name, which cannot contain it, and its tool's or prompt's. */
export const SEPARATOR = '__'

export interface ResourcesOptions {
  readonly links: Links
  readonly isPrefixed: (server: string) => boolean
  readonly logger: Logger
}

/** The resources and prompts of all servers: one list each, and which server has what. */
export function createResources({ links, isPrefixed, logger }: ResourcesOptions) {
  const { names } = links
  const [only] = names.length === 1 ? names : []
  const serverOfUri = new LRUCache<string, string>({ max: REMEMBERED_MAX })
  /** By the text before the first variable. */
  const serverOfTemplate = new LRUCache<string, string>({ max: REMEMBERED_MAX })

  function remember(server: string, method: ListMethod, items: readonly Members[]): void {
    for (const item of items) {
      const uri = textMember(item, 'uri')
      const template = textMember(item, 'uriTemplate')
      if (method === 'resources/list' && uri !== undefined && !serverOfUri.has(uri))
        serverOfUri.set(uri, server)
      if (template === undefined) continue
      const start = template.slice(0, template.indexOf('{') >>> 0)
      if (!serverOfTemplate.has(start)) serverOfTemplate.set(start, server)
    }
  }

  const named = (server: string, method: ListMethod, item: Members): Members =>
    method === 'prompts/list' && isPrefixed(server)
      ? { ...item, name: `${server}${SEPARATOR}${String(item['name'])}` }
      : item

  function itemsOf(server: string, method: ListMethod, result: Members): readonly Members[] {
    const listed = result[ITEMS[method]]
    const items = Array.isArray(listed) ? listed.filter(isObject) : []
    remember(server, method, items)
    return items.map((item) => named(server, method, item))
  }

  /** All pages of a server; none if it has no such list or cannot be reached. */
  async function allOf(server: string, method: ListMethod, exchange: Exchange): Promise<readonly Members[]> {
    const items: Members[] = []
    try {
      const { capabilities } = (await links.of(server)).about
      if (!(method === 'prompts/list' ? 'prompts' in capabilities : 'resources' in capabilities)) return items
      let cursor: string | undefined
      for (let page = 0; page < PAGES_MAX && items.length < REMEMBERED_MAX; page++) {
        const { cursor: _, ...own } = exchange.params
        const params = { ...own, ...(cursor !== undefined && { cursor }) }
        const result = await links.request(server, { method, params }, exchange)
        items.push(...itemsOf(server, method, result))
        cursor = textMember(result, 'nextCursor')
        if (cursor === undefined) break
      }
    } catch (error) {
      if (exchange.signal.aborted) throw error
      logger.warn('an MCP server gives no list', { server, method, why: reasonOf(error) })
    }
    return items
  }

  async function list(method: ListMethod, exchange: Exchange): Promise<Members> {
    if (only !== undefined) {
      const result = await links.request(only, { method, params: exchange.params }, exchange)
      return { ...result, [ITEMS[method]]: itemsOf(only, method, result) }
    }
    const each = await Promise.all(names.map((server) => allOf(server, method, exchange)))
    return { [ITEMS[method]]: each.flat() }
  }

  function known(uri: string): string | undefined {
    const exact = serverOfUri.get(uri)
    if (exact !== undefined) return exact
    const starts = [...serverOfTemplate.keys()].filter((start) => uri.startsWith(start))
    const [longest] = starts.toSorted((a, b) => b.length - a.length)
    return longest === undefined ? undefined : serverOfTemplate.get(longest)
  }

  /** The server of a resource. Rejects with a protocol error if none has listed it. */
  async function serverOf(uri: string, exchange: Exchange): Promise<string> {
    if (only !== undefined) return only
    if (known(uri) === undefined) {
      const quiet = { ...exchange, params: {} }
      await Promise.all([list('resources/list', quiet), list('resources/templates/list', quiet)])
    }
    const server = known(uri)
    if (server === undefined) throw invalid('Resource not found', { uri })
    return server
  }

  /** The server of a prompt, and its name there. */
  function promptOf(name: string): { readonly server: string; readonly name: string } {
    const [server = '', ...rest] = name.split(SEPARATOR)
    if (only !== undefined && !isPrefixed(only)) return { server: only, name }
    if (!names.includes(server) || rest.length === 0) throw invalid(`there is no prompt \`${name}\``)
    return { server, name: rest.join(SEPARATOR) }
  }

  /** Where a completion is asked, in the names of its server. */
  async function completionOf(exchange: Exchange): Promise<{ readonly server: string; readonly sent: Sent }> {
    const { method, params } = exchange
    const ref = membersIn(params, 'ref')
    if (ref['type'] !== 'ref/prompt') {
      const uri = textMember(ref, 'uri') ?? ''
      return {
        server: await serverOf(uri.slice(0, uri.indexOf('{') >>> 0) || uri, exchange),
        sent: { method, params },
      }
    }
    const { server, name } = promptOf(textMember(ref, 'name') ?? '')
    return { server, sent: { method, params: { ...params, ref: { ...ref, name } } } }
  }

  return { list, serverOf, promptOf, completionOf }
}
