import type { WithheldReason } from './tools/offer.js'
import type { Metrics } from '@plimsoll/runtime'
import type { Outcome } from './call/approvals.js'

export interface McpMetrics {
  called(outcome: Outcome): void
  withheld(reason: WithheldReason): void
}

export function createMcpMetrics(metrics: Metrics): McpMetrics {
  const calls = metrics.counter({
    name: 'mcp_calls_total',
    help: 'Calls of tools through the MCP proxy, by what became of them.',
    labels: ['outcome'],
  })
  const withheld = metrics.counter({
    name: 'mcp_tools_withheld_total',
    help: 'Tools that came to be withheld from agents: new or changed since they were approved, unlabelled, or of no usable name.',
    labels: ['reason'],
  })
  return {
    called: (outcome) => calls.inc({ outcome }),
    withheld: (reason) => withheld.inc({ reason }),
  }
}
