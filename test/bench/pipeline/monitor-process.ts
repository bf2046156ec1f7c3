import { startCli, type CliProcess } from '../../e2e/cli-process.js'
import type { BenchDeployment } from '../world.js'

/** `plimsoll monitor`, as it runs for a fleet. The caller ends it. */
export async function startMonitorProcess({ env }: BenchDeployment): Promise<CliProcess> {
  const monitor = startCli(['monitor'], { env })
  await monitor.printed(/"consuming"/)
  return monitor
}
