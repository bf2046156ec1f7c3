import type { OfficialServer } from './mcp-servers.js'

/** Tools of a shipped catalogue whose labels were written by hand before `plimsoll label` existed. */
export interface HandLabelled {
  /** The name of the catalogue with the hand-written labels, without its extension. */
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

export const HAND_LABELLED: readonly HandLabelled[] = [
  { catalogue: 'mcp-filesystem', server: 'filesystem', isTuned: true },
  { catalogue: 'mcp-everything', server: 'everything', isTuned: true },
  { catalogue: 'mcp-github', server: 'github', isTuned: false },
  { catalogue: 'mcp-memory', server: 'memory', isTuned: false },
  { catalogue: 'agentdojo-workspace', list: 'agentdojo/workspace', isTuned: true },
  { catalogue: 'agentdojo-banking', list: 'agentdojo/banking', isTuned: true },
  { catalogue: 'openhands', list: 'openhands', isTuned: true },
  { catalogue: 'agentdojo-slack', list: 'agentdojo/slack', isTuned: false },
  { catalogue: 'agentdojo-travel', list: 'agentdojo/travel', isTuned: false },
  { catalogue: 'swe-agent', list: 'sweagent', isTuned: false },
  { catalogue: 'shells', list: 'odcv_bench', isTuned: false },
  { catalogue: 'shells', list: 'intercode/sql', isTuned: false },
  { catalogue: 'shells', list: 'intercode/python', isTuned: false },
]
