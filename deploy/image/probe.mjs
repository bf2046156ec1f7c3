/**
 * `node probe.mjs /healthz`: exit code 0 where the service in this container answers 200 to it, else 1 with a line that says why. The slim
 * image has no curl.
 */
const path = process.argv[2] ?? '/healthz'
const port = process.env.PLIMSOLL_HTTP_PORT || '9464'

try {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_500) })
  process.stdout.write(await response.text())
  process.exitCode = response.status === 200 ? 0 : 1
} catch (error) {
  process.stdout.write(`no answer on port ${port}: ${error.cause?.code ?? error.message}\n`)
  process.exitCode = 1
}
