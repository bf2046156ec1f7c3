import path from 'node:path'
import { readDocument, verifyPolicy } from '@plimsoll/policy'
import { projectRoot } from '../../support/paths.js'
import { roundedMs, type Report } from '../report.js'

/** `plimsoll verify` in this process: the calendar's policy, and one of 30 specs over 25 tools. Of CPU time too, as machines are shared. */
export async function benchVerify(): Promise<Report> {
  const calendar = await verified('examples/calendar')
  const office = await verified('test/bench/verify')
  return {
    name: 'verify',
    figures: {
      'calendar, s': calendar.seconds,
      'calendar, CPU s': calendar.cpu,
      'calendar, states': calendar.states,
      '25 tools and 30 specs, s': office.seconds,
      '25 tools and 30 specs, CPU s': office.cpu,
      '25 tools and 30 specs, states': office.states,
    },
  }
}

async function verified(folder: string): Promise<{ seconds: number; cpu: number; states: number }> {
  const [policy, catalogue] = await Promise.all([
    readDocument('policy', path.join(projectRoot, folder, 'policy.yaml')),
    readDocument('catalogue', path.join(projectRoot, folder, 'catalogue.yaml')),
  ])
  const used = process.cpuUsage()
  const started = performance.now()
  const { states } = verifyPolicy({ policy, catalogue })
  const seconds = roundedMs((performance.now() - started) / 1000)
  return { seconds, cpu: roundedMs(process.cpuUsage(used).user / 1e6), states }
}
