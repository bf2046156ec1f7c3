import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/client'
import { type Era, type Members, LEGACY, MODERN, isObject, metaIn, withMeta } from '../rpc/messages.js'

/** Results that say how long they may be kept. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/** A server's result as a client of `era` expects it; what both eras have stays as it is. */
export function fitResult(method: string, result: Members, era: Era, serverInfo: Members): Members {
  if (era === MODERN) return completed(method, result, serverInfo)
  const { resultType, ttlMs: _, cacheScope: __, ...rest } = result
  if (resultType === undefined) return result
  const meta = metaIn(result)
  if (!(SERVER_INFO_META_KEY in meta)) return rest
  const { [SERVER_INFO_META_KEY]: ___, ...others } = meta
  const { _meta: ____, ...bare } = rest
  return Object.keys(others).length === 0 ? bare : { ...bare, _meta: others }
}

function completed(method: string, result: Members, serverInfo: Members): Members {
  const { ttlMs, cacheScope } = result
  const kept = { ttlMs: ttlMs ?? 0, cacheScope: cacheScope ?? 'private' }
  const typed = { resultType: 'complete', ...result, ...(CACHEABLE.has(method) && kept) }
  if (isObject(metaIn(result)[SERVER_INFO_META_KEY]) || Object.keys(serverInfo).length === 0) return typed
  return withMeta(typed, { [SERVER_INFO_META_KEY]: serverInfo })
}

/** Methods of one era only. */
const ONLY: Readonly<Record<Era, ReadonlySet<string>>> = {
  '2025-11-25': new Set([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
  ]),
  '2026-07-28': new Set(['server/discover', 'subscriptions/listen']),
}

/** Whether clients of `era` have such a method, as far as the protocol says. */
export const isMethodOf = (era: Era, method: string): boolean =>
  !ONLY[era === LEGACY ? MODERN : LEGACY].has(method)
