/** A fit in a process of its own, so that what it takes of memory is its alone: `fit-process.js SPACE FILE`, figures as JSON on stdout. */
import type { StateSpace } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { fitFromFiles } from '@plimsoll/fit'

const [space = 'paper60', file = '/dev/stdin'] = process.argv.slice(2)
const catalogue = await readDocument('catalogue')
const began = performance.now()
let readMs = 0
const { bundle } = await fitFromFiles({
  files: [file],
  catalogue,
  target: 'observed',
  space: space as StateSpace,
  onProgress: () => (readMs = performance.now() - began),
})
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
const { traces, transitions, violations } = bundle.aggregate
process.stdout.write(
  JSON.stringify({
    traces,
    transitions,
    violations,
    seconds: (performance.now() - began) / 1e3,
    readSeconds: readMs / 1e3,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMegabytes: maxRSS / 1024,
  }),
)
