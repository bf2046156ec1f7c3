import type { OfficialServer } from './mcp-servers.js'

/** Tools whose labels were written by hand before `plimsoll label` existed. */
export interface HandLabelled {
  /** The file of the catalogue with the hand-written labels, without its extension. */
  readonly catalogue: string
  /** Where the tools are listed: a server, or a list of the file beside the recorded sessions. */
  readonly server?: OfficialServer
  readonly list?: string
  /**
   * Whether the words of the heuristics were tuned on these. The others were held out: measured once the words were fixed
   * (71 of 82 right), which showed three faults, since fixed.
   */
  readonly isTuned: boolean
}

const SHIPPED = 'shared/labels/catalogues'
const BENCHMARKS = 'test/catalogues'

export const HAND_LABELLED: readonly HandLabelled[] = [
  { catalogue: `${SHIPPED}/mcp-filesystem`, server: 'filesystem', isTuned: true },
  { catalogue: `${SHIPPED}/mcp-everything`, server: 'everything', isTuned: true },
  { catalogue: `${SHIPPED}/mcp-github`, server: 'github', isTuned: false },
  { catalogue: `${SHIPPED}/mcp-memory`, server: 'memory', isTuned: false },
  { catalogue: `${BENCHMARKS}/agentdojo-workspace`, list: 'agentdojo/workspace', isTuned: true },
  { catalogue: `${BENCHMARKS}/agentdojo-banking`, list: 'agentdojo/banking', isTuned: true },
  { catalogue: `${SHIPPED}/openhands`, list: 'openhands', isTuned: true },
  { catalogue: `${BENCHMARKS}/agentdojo-slack`, list: 'agentdojo/slack', isTuned: false },
  { catalogue: `${BENCHMARKS}/agentdojo-travel`, list: 'agentdojo/travel', isTuned: false },
  { catalogue: `${SHIPPED}/swe-agent`, list: 'sweagent', isTuned: false },
  { catalogue: `${SHIPPED}/shells`, list: 'odcv_bench', isTuned: false },
  { catalogue: `${SHIPPED}/shells`, list: 'intercode/sql', isTuned: false },
  { catalogue: `${SHIPPED}/shells`, list: 'intercode/python', isTuned: false },
]
