import { type CategoryReading, readCategory, shippedCategoryModel } from '@plimsoll/labels'
import { defineCommand } from '../command.js'
import { jsonLine, leftTable } from '../format/text-table.js'

const WORDS_SHOWN = 10

export const category = defineCommand({
  name: 'category',
  summary: 'shows what category is found in the text of a task, and by which words',
  description: [
    'The category that a client reports for a task without a declared one. It finds none for a task unlike those that the model',
    'was fitted to: the session is read by the aggregate then.',
  ],
  operands: { name: 'TEXT', help: 'the task; several are one text', min: 1, max: 1000 },
  options: { json: { type: 'flag', help: 'one JSON object on stdout' } },
  examples: [['"Count the files in /var/log"', 'one task']],
  async run({ json }, operands, { stdout }) {
    const model = shippedCategoryModel()
    const reading = readCategory(operands.join(' '), model)
    stdout.write(json ? `${jsonLine(reading)}\n` : readingText(reading, model.threshold))
    return 0
  },
})

function readingText(
  { found, nearest, words, known, distinctive: reporting }: CategoryReading,
  threshold: number,
): string {
  const rows = reporting.slice(0, WORDS_SHOWN).map(({ word, odds }) => [word, odds.toFixed(2)])
  return [
    `category: ${found?.category ?? 'none, the aggregate is read'}\n`,
    `nearest: ${nearest?.category ?? '-'}, ${nearest?.confidence ?? 0} of at least ${threshold}; ${known} of ${words} words are known\n`,
    ...(rows.length > 0 ? [leftTable([['word', 'speaks for it'], ...rows])] : []),
  ].join('')
}
