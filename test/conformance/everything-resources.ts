import { type Resource, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { IMAGE } from './everything-content.js'

export const RESOURCES: readonly (Resource & { readonly content: object })[] = [
  resource('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' }),
  resource('test://static-binary', 'image/png', { blob: IMAGE }),
  resource('test://watched-resource', 'text/plain', { text: 'Watched resource content' }),
]

function resource(uri: string, mimeType: string, content: object) {
  return { uri, name: uri.slice('test://'.length), description: `the resource ${uri}`, mimeType, content }
}

export function read(uri: string) {
  const known = RESOURCES.find((each) => each.uri === uri)
  if (known) return { contents: [{ uri, mimeType: known.mimeType, ...known.content } as never] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri })
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { contents: [{ uri, mimeType: 'application/json', text: data }] }
}
