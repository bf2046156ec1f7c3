import type { Proposal, ToolLabelling } from '@plimsoll/labels'
import { plainText } from '../plain-text.js'
import { leftTable } from '../text-table.js'
import { evidenceText } from './catalogue-text.js'

const HEADER = ['tool', 'capability', 'reversibility', 'confidentiality', 'trust', 'because']

/** A table with a line a tool, the doubtful first with what is doubtful; a sum at the end. */
export function proposalText({ labellings, refused }: Proposal, took: number): string {
  const doubtful = labellings.filter(({ doubts }) => doubts.length > 0)
  const clear = labellings.length - doubtful.length
  const left = refused.map(({ tool, why }) => `left out: ${plainText(tool).slice(0, 100)}: ${why}\n`)
  const sum = [
    `${labellings.length + refused.length} tools`,
    `${clear} clear`,
    `${doubtful.length} doubtful`,
    ...(refused.length > 0 ? [`${refused.length} left out`] : []),
    `${(took / 1000).toFixed(1)} s`,
  ]
  const [header = '', ...rows] = leftTable([HEADER, ...labellings.map(cellsOf)]).split('\n')
  const lines = labellings.flatMap(({ doubts }, at) => [`${rows[at] ?? ''}\n`, ...doubts.map(doubtLine)])
  return [...(labellings.length > 0 ? [`${header}\n`] : []), ...lines, ...left, `${sum.join(', ')}\n`].join(
    '',
  )
}

const doubtLine = (doubt: string): string => `    ? ${plainText(doubt)}\n`

function cellsOf({ tool, perLabel }: ToolLabelling): string[] {
  const { capability, confidentiality, trust, reversibility } = perLabel
  return [
    tool,
    capability.value,
    reversibility.value,
    confidentiality.value,
    trust.value,
    evidenceText(perLabel),
  ]
}
