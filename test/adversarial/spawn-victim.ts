import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { kafka } from '../support/components/components.js'
import type { Deployment } from '../support/sessions/deployment.js'

const SCRIPT = fileURLToPath(new URL('victim.js', import.meta.url))

/** A process that proposes to read sensitive data, prints its session's id once allowed, and never completes. */
export function spawnVictim({ topics, prefix }: Pick<Deployment, 'topics' | 'prefix'>) {
  const given = JSON.stringify({ brokers: kafka.brokers, topicPrefix: `${prefix}plimsoll`, topics })
  const child = spawn(process.execPath, [SCRIPT, given], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return {
    allowed: once(lines, 'line').then(([line]) => String(line)),
    exited: once(child, 'exit'),
    kill: () => child.kill('SIGKILL'),
  }
}
