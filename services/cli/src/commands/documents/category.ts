import { type CategoryReading, readCategory, shippedCategoryModel } from '@plimsoll/labels'
import { defineCommand, json } from '../../command.js'
import { jsonLine, leftTable } from '../../format/text.js'

const WORDS_SHOWN = 10

export const category = defineCommand({
  name: 'category',
  summary: 'shows the category of a task text, and the words that decide it',
  description:
    'The category that a client reports for a task without a declared one. It finds none for a task unlike those that the model was fitted to: the session is read by the aggregate then.',
  operands: [['<TEXT...>', 'the task']],
  options: { json },
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
    ...(rows.length > 0 ? [leftTable([['word', 'weight'], ...rows])] : []),
  ].join('')
}
