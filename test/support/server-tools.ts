import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LABEL_NAMES, type LabelName, type ToolLabelling, worseBy } from '@plimsoll/labels'

/** Tools of public MCP servers in a folder, each a `tools/list` answer, with labels written by hand and calls. */
interface Truth {
  readonly server: string
  readonly tool: string
  readonly accept: { readonly [K in LabelName]: readonly string[] }
}

export interface ServerCall {
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly expect: 'ask' | 'run'
}

export interface ServerTools {
  readonly servers: readonly string[]
  readonly truths: readonly Truth[]
  readonly calls: readonly ServerCall[]
}

export function readServerTools(folder: string): ServerTools {
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
  const truths = JSON.parse(read('truth.json')) as readonly Truth[]
  const lines = read('calls.jsonl').trim().split('\n')
  return {
    servers: [...new Set(truths.map(({ server }) => server))],
    truths,
    calls: lines.map((line) => JSON.parse(line) as ServerCall),
  }
}

/** How the labels proposed for one tool compare with those written by hand. */
export interface ComparedTool {
  readonly name: string
  readonly isDoubtful: boolean
  readonly isRight: boolean
  /** Whether a label is milder than every accepted one. */
  readonly isWeak: boolean
}

/** @param proposed by `server/tool` */
export const comparedTools = (
  truths: readonly Truth[],
  proposed: ReadonlyMap<string, ToolLabelling>,
): readonly ComparedTool[] =>
  truths.map(({ server, tool, accept }) => {
    const name = `${server}/${tool}`
    const labelling = proposed.get(name)
    if (!labelling) throw new Error(`no labels proposed for ${name}`)
    const { perLabel, doubts } = labelling
    const wrong = LABEL_NAMES.filter((label) => !accept[label].includes(perLabel[label].value))
    const isWeak = (label: LabelName): boolean =>
      accept[label].every((value) => worseBy(label, perLabel[label].value, value as never) < 0)
    return {
      name,
      isDoubtful: doubts.length > 0,
      isRight: wrong.length === 0,
      isWeak: wrong.some(isWeak),
    }
  })
