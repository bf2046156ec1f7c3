import { isUtf8 } from 'node:buffer'
import type { StepResult } from '@plimsoll/client'
import { type Members, isObject } from './rpc/messages.js'

/** What of a result can be read, and whether that is all of it. */
export type Readable = Required<Pick<StepResult, 'result' | 'isWhole'>>

/** Members that are not for a model: what they say is of the protocol. */
const OF_PROTOCOL: ReadonlySet<string> = new Set([
  '_meta',
  'isError',
  'resultType',
  'ttlMs',
  'cacheScope',
  'annotations',
  'type',
  'mimeType',
])

interface Walk {
  readonly read: unknown[]
  isWhole: boolean
}

/** Everything readable in the result of a tool; pictures, sounds and other bytes are not. Unknown members are read too. */
export function readableIn({ content = [], structuredContent, ...others }: Members): Readable {
  const walk: Walk = { read: [], isWhole: true }
  readAll(content, walk, readBlock)
  const isAlone = walk.read.length === 1
  // Most servers send the same content in both forms.
  const isSame = isAlone && walk.read[0] === JSON.stringify(structuredContent)
  if (isSame) walk.read.pop()
  if (structuredContent !== undefined) walk.read.push(structuredContent)
  readOthers(others, walk)
  return readableOf(walk)
}

/** Everything readable in resources that were read. */
export function readableInResources({ contents = [], ...others }: Members): Readable {
  const walk: Walk = { read: [], isWhole: true }
  readAll(contents, walk, readResource)
  readOthers(others, walk)
  return readableOf(walk)
}

/** Everything readable in a prompt. */
export function readableInPrompt({ messages = [], ...others }: Members): Readable {
  const walk: Walk = { read: [], isWhole: true }
  readOthers(others, walk)
  readAll(messages, walk, (message) => {
    if (!isObject(message)) return void walk.read.push(message)
    const { content, role: _, ...rest } = message
    readAll(content, walk, readBlock)
    readOthers(rest, walk)
  })
  return readableOf(walk)
}

/** What a failure says, in all of its lines and data. */
export function readableInError(cause: unknown): Readable {
  const { message = String(cause), data } = Object(cause) as Partial<
    Readonly<Record<'message' | 'data', unknown>>
  >
  return { result: data === undefined ? message : [message, data], isWhole: true }
}

const readableOf = ({ read, isWhole }: Walk): Readable => ({
  result: read.length === 1 ? read[0] : read,
  isWhole,
})

function readAll(values: unknown, walk: Walk, read: (value: unknown, walk: Walk) => void): void {
  for (const value of Array.isArray(values) ? (values as unknown[]) : [values]) read(value, walk)
}

/** Reads a block of content. A block of an unknown type is read as a whole. */
function readBlock(block: unknown, walk: Walk): void {
  if (!isObject(block)) return void walk.read.push(block)
  const { type, ...members } = block
  if (type === 'text') readMember('text', members, walk)
  else if (type === 'image' || type === 'audio') readBytes('data', members, walk)
  else if (type === 'resource') {
    const { resource, ...others } = members
    readResource(resource, walk)
    readOthers(others, walk)
  } else readOthers(members, walk)
}

function readResource(resource: unknown, walk: Walk): void {
  if (!isObject(resource)) return void walk.read.push(resource)
  const { uri, ...members } = resource
  if (uri !== undefined) walk.read.push(uri)
  if ('text' in members) readMember('text', members, walk)
  else readBytes('blob', members, walk)
}

function readMember(name: string, { [name]: value, ...others }: Members, walk: Walk): void {
  if (value !== undefined) walk.read.push(value)
  readOthers(others, walk)
}

/** Reads bytes that are a text after all. */
function readBytes(name: string, { [name]: value, ...others }: Members, walk: Walk): void {
  readOthers(others, walk)
  if (value === undefined) return
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  if (!bytes) walk.read.push(value)
  else if (isUtf8(bytes)) walk.read.push(bytes.toString('utf8'))
  else walk.isWhole = false
}

/** Reads the members that are for a model, and unknown ones. */
function readOthers(members: Members, walk: Walk): void {
  const others = Object.entries(members).filter(
    ([name, value]) => !OF_PROTOCOL.has(name) && value !== undefined,
  )
  const texts = others.map(([, value]) => value)
  walk.read.push(...texts)
}
