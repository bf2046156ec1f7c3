/**
 * The image and the stack of docker-compose.yml on a real engine. `.ci/run --long` starts one where none answers and makes the images that no
 * registry gives; elsewhere the test runs where an engine answers.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { dockerMissing } from '../support/docker/daemon.js'
import { runShell } from '../support/run/run-shell.js'
import { waitUntil } from '../support/wait-until.js'
import { type Stack, createStack, docker, dockerCompose, servicesWithoutImage } from './stack.js'

/** Long, since they only bound a failure. */
const RECOVERY = { timeoutMs: 120_000, everyMs: 1_000 }

const missing = await dockerMissing()
const skip = missing === undefined ? dockerCompose.skip || docker.skip : missing

describe('docker compose', { skip }, () => {
  let stack: Stack
  let key = ''
  after(() => stack?.remove())

  const show = async () => (await stack.compose('run', '--rm', 'principals', '--show')).trim()
  /** Verdicts on the two steps of the example with curl. */
  const check = async () => {
    const { out, err } = await runShell('bash examples/http/check.sh', {
      GATEWAY: stack.gatewayUrl,
      GATEWAY_KEY: key,
    })
    return {
      out,
      err,
      verdicts: [...out.matchAll(/"verdict":"(\w+)","mayRun":\w+,"by":"(\w+)"/g)].map(
        ([, verdict, by]) => `${verdict} by ${by}`,
      ),
    }
  }
  const EXPECTED = ['allow by decision', 'block by decision']
  const untilDecides = (what: string) =>
    waitUntil(what, async () => (await check()).verdicts.join() === EXPECTED.join(), RECOVERY)
  const untilReady = (...containers: readonly string[]) =>
    waitUntil(
      `${containers.join(' and ')} ready`,
      async () => (await Promise.all(containers.map(stack.readyz))).every(({ status }) => status === 200),
      RECOVERY,
    )

  test('builds the image, once', async (t) => {
    const without = await servicesWithoutImage(docker)
    if (without.length > 0) t.diagnostic(`left out, as no image is in reach: ${without.join()}`)
    assert.ok(
      without.every((name) => name === 'grafana'),
      `no images: ${without.join()}`,
    )
    stack = await createStack(without)
    await stack.compose('down', '--volumes')
    const started = performance.now()
    await stack.compose('build')
    t.diagnostic(`built in ${Math.round((performance.now() - started) / 1000)} s`)
    const [image] = JSON.parse(await docker.output(['image', 'inspect', 'plimsoll:local'])) as {
      readonly Size: number
    }[]
    t.diagnostic(`${Math.round((image?.Size ?? 0) / 1e6)} MB with Node and Debian`)
  })

  test('decides through its gateway from nothing', async (t) => {
    const started = performance.now()
    await stack.up()
    key = /^GATEWAY_KEY=([0-9a-f]{64})$/.exec(await show())?.[1] ?? ''
    assert.notEqual(key, '', 'the key is shown')
    const { verdicts, out, err } = await check()
    const seconds = (performance.now() - started) / 1000
    assert.deepEqual(verdicts, EXPECTED, `${out}\n${err}`)
    t.diagnostic(`${seconds.toFixed(1)} s`)
  })

  test('runs as no root, on a read-only file system, and becomes healthy', async () => {
    for (const container of ['monitor-1', 'monitor-2', 'gateway-1']) {
      await waitUntil(
        `${container} healthy`,
        async () => (await stack.inspect(container)).State.Health?.Status === 'healthy',
        RECOVERY,
      )
      const { Config, HostConfig } = await stack.inspect(container)
      assert.deepEqual([Config.User, HostConfig.ReadonlyRootfs], ['1000:1000', true])
    }
  })

  for (const [service, cause] of [
    ['redis', /^not ready: .*Redis does not answer/],
    ['kafka', /^not ready: .*Kafka does not answer/],
  ] as const)
    test(`names ${service} as the cause within a second where it is away, and recovers`, async () => {
      await stack.compose('stop', service)
      for (const container of ['monitor-1', 'gateway-1']) {
        await waitUntil(`${container} notices`, async () => (await stack.readyz(container)).status === 503)
        const { text } = await stack.readyz(container)
        assert.match(text, cause)
      }
      await stack.compose('start', service)
      await untilReady('monitor-1', 'monitor-2', 'gateway-1')
      await untilDecides(`decisions after ${service} is back`)
    })

  test('goes on without a monitor that was killed, which comes back', async () => {
    await stack.kill('monitor-1')
    await untilDecides('decisions by the other monitor')
    await stack.compose('start', 'monitor')
    await untilReady('monitor-1', 'monitor-2')
  })

  test('keeps keys and what sessions have read, in other containers', async () => {
    await stack.compose('stop', 'fleet')
    for (const container of ['monitor-1', 'gateway-1']) {
      const stopped = container.split('-')[0] ?? ''
      await stack.compose('stop', stopped)
      assert.equal((await stack.inspect(container)).State.ExitCode, 0, `${container} ends on SIGTERM`)
    }
    await stack.compose('down')
    await stack.up()
    assert.equal(await show(), `GATEWAY_KEY=${key}`)
    assert.match(await stack.compose('logs', '--no-log-prefix', 'key'), /the signing key stays as it is/)
    await untilReady('gateway-1')
    // A new session of the user who read about the customer before the restart.
    const mail = { to: 'press@example.org', body: 'Ann Moor (KX-48217) has not paid.' }
    const response = await fetch(`${stack.gatewayUrl}/v1/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        user: 'ann',
        callId: 'after',
        tool: 'send_email',
        arguments: mail,
        timeoutMs: 30_000,
      }),
    })
    const { verdict, by } = (await response.json()) as { readonly verdict: string; readonly by: string }
    assert.deepEqual([verdict, by], ['block', 'decision'])
  })

  test('does not start with another signing key than the kept one', async () => {
    await stack.compose('down')
    const other = ['--rm', '--env', `PLIMSOLL_SIGNING_KEY=${'another key '.repeat(3)}`]
    await assert.rejects(stack.compose('run', ...other, 'key'), /not the signing key that is kept here/)
  })
})
