import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferedTool, ServersDocument } from '@plimsoll/gateway'
import { toolOrigins } from './tool-origin.js'

const FROB = { server: 'a', tool: { name: 'frob', inputSchema: { type: 'object' } } } as OfferedTool

function serversWith(command: string, cwd?: string): ServersDocument {
  const server = { command, args: [], env: [], prefix: false, trustNames: true, ...(cwd && { cwd }) }
  return { schema: 1, kind: 'plimsoll.mcp-servers', requireLabels: false, servers: { a: server } }
}

const cases: readonly {
  readonly what: string
  readonly tool?: Partial<OfferedTool['tool']>
  readonly servers?: ServersDocument
  readonly isSame: boolean
}[] = [
  { what: 'the same tool', isSame: true },
  { what: 'a changed definition', tool: { description: 'x' }, isSame: false },
  { what: 'another server of that name', servers: serversWith('other'), isSame: false },
  { what: 'a command of that name in another folder', servers: serversWith('frobber', '/'), isSame: false },
  { what: 'the same folder by its name', servers: serversWith('frobber', process.cwd()), isSame: true },
]

for (const { what, tool, servers = serversWith('frobber'), isSame } of cases)
  test(`${what} has ${isSame ? 'the same' : 'another'} origin`, () => {
    const offered = { ...FROB, tool: { ...FROB.tool, ...tool } }
    assert.equal(toolOrigins(servers)(offered) === toolOrigins(serversWith('frobber'))(FROB), isSame)
  })
