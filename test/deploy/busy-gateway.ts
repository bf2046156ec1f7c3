import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connectGateway } from '@plimsoll/client/gateway'
import { hashOfKey } from '@plimsoll/gateway'
import { type CliProcess, startCli } from '../e2e/cli-process.js'

const KEY = 'key-of-the-desk'

/** What a gateway shares with the monitors. */
const SHARED = ['KAFKA_BROKERS', 'REDIS_URL', 'PLIMSOLL_TOPIC_PREFIX']

export interface BusyGateway {
  readonly process: CliProcess
  /** Has everything happen that its metrics tell of while monitors run. */
  speak(): Promise<void>
  /** Asks while none does: the fail mode answers. */
  askInVain(): Promise<void>
}

/** A gateway of its own process, with the environment `env` of the monitors. */
export async function startBusyGateway(
  env: Readonly<Record<string, string>>,
  httpPort: number,
  folder: string,
): Promise<BusyGateway> {
  const principals = path.join(folder, 'principals.json')
  const desk = { name: 'desk', trust: 'host', keys: [hashOfKey(KEY)] }
  await writeFile(principals, JSON.stringify({ principals: [desk] }))
  const process = startCli(['gateway'], {
    env: {
      ...Object.fromEntries(SHARED.map((name) => [name, env[name] ?? ''])),
      PLIMSOLL_PRINCIPALS: principals,
      PLIMSOLL_HTTP_PORT: String(httpPort),
      PLIMSOLL_GATEWAY_PORT: '0',
    },
  })
  const line = await process.printed(/"serving agents","url":"[^"]+"/)
  const url = /"serving agents","url":"([^"]+)"/.exec(line)?.[1] ?? ''
  const check = async (key: string, timeoutMs: number) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ tool: 'read_email', arguments: {}, timeoutMs })
    return (await fetch(`${url}/v1/check`, { method: 'POST', headers, body })).status
  }
  return {
    process,
    speak: async () => {
      const client = await connectGateway({ url, credential: KEY })
      const session = await client.startSession()
      await session.propose({ tool: 'read_email', arguments: {} })
      await session.end()
      await client.close()
      assert.equal(await check(KEY, 10_000), 200)
      assert.equal(await check('guessed', 10_000), 401)
    },
    askInVain: async () => void (await check(KEY, 100)),
  }
}
