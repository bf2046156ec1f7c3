import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { createGuard, type Guard } from '@plimsoll/client'
import type { ToolLabelling } from '@plimsoll/labels'
import { defaultDocuments, readCatalogue } from '@plimsoll/policy'
import { findTraces } from '@plimsoll/fit'
import { projectRoot } from '../../support/paths.js'
import { comparedTools, readServerTools } from '../../support/server-tools.js'
import { runCli } from '../cli-process.js'

const traces = findTraces(process.env, projectRoot)
const folder = traces && path.join(traces, '../mcp-tools')
const skip =
  (folder === undefined || !existsSync(folder)) &&
  'no folder `mcp-tools` beside PLIMSOLL_TRACES or ../shared/traces'

describe('tools of real servers, with the unreviewed labels of `plimsoll label`', { skip }, () => {
  const out = mkdtemp(path.join(tmpdir(), 'plimsoll-real-tools-'))
  after(async () => rm(await out, { recursive: true }))

  test('labels compared with hand-written ones: right, too weak, doubtful', async (t) => {
    const { servers, truths } = readServerTools(folder ?? '')
    const proposed = new Map<string, ToolLabelling>()
    for (const server of servers) {
      const { code, stdout } = await runCli(['label', '--json', path.join(folder ?? '', `${server}.json`)])
      assert.equal(code, 0)
      for (const labelling of (JSON.parse(stdout) as { labellings: readonly ToolLabelling[] }).labellings)
        proposed.set(`${server}/${labelling.tool}`, labelling)
    }
    const rows = comparedTools(truths, proposed)
    const share = (of: (row: (typeof rows)[number]) => boolean) => rows.filter(of).length / rows.length
    const [right, weak, doubtful] = [
      share((row) => row.isRight),
      share((row) => row.isWeak),
      share((row) => row.isDoubtful),
    ]
    const shown = [right, weak, doubtful].map((each) => `${(100 * each).toFixed(1)}%`).join(', ')
    t.diagnostic(`${rows.length} tools: right, too weak, doubtful ${shown}`)
    assert.ok(right >= 0.85 && weak <= 0.04 && doubtful <= 0.4, shown)
    assert.deepEqual(
      rows.filter((row) => row.isWeak && !row.isDoubtful),
      [],
    )
  })

  test('in a session without reads or a task, irreversible steps ask and the others run', async () => {
    const { calls } = readServerTools(folder ?? '')
    const guards = new Map<string, Guard>()
    for (const server of new Set(calls.map((call) => call.server))) {
      const file = path.join(await out, `${server}.yaml`)
      const labelled = await runCli(['label', '--out', file, path.join(folder ?? '', `${server}.json`)])
      assert.equal(labelled.code, 0, labelled.stderr)
      const documents = { ...(await defaultDocuments()), catalogue: await readCatalogue([file]) }
      guards.set(server, await createGuard({ documents }))
    }
    const wrong: string[] = []
    for (const { server, tool, arguments: args, expect } of calls) {
      const session = await guards.get(server)?.startSession()
      const { verdict } = (await session?.propose({ tool, arguments: args })) ?? {}
      const found = verdict === 'confirm' || verdict === 'block' ? 'ask' : 'run'
      if (found !== expect) wrong.push(`${server} ${tool} ${JSON.stringify(args)}: ${found}`)
    }
    await Promise.all(Array.from(guards.values(), (guard) => guard.close()))
    assert.deepEqual(wrong, [])
    assert.ok(calls.length >= 30)
  })
})
