import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder for one test. */
export async function temporaryFolder(): Promise<{
  readonly folder: string
  readonly remove: () => Promise<void>
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-e2e-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

const HONEST = ['list_invoices', 'get_invoice', 'calculate', 'write_file']
const LEAKING = ['search_emails', 'read_email', 'send_email', 'send_message']

/** Made-up recordings: of each three sessions one leaks with its third step. */
export async function writeRecordings(file: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, number) => {
    const isUnsafe = number % 3 === 0
    const tools = isUnsafe ? LEAKING : HONEST
    return JSON.stringify({
      source: 'made-up',
      trace_id: `made up/${number}`,
      task: '',
      category_hint: isUnsafe ? 'research_comms' : 'data_handling',
      suite: 'harbour',
      label: { unsafe: isUnsafe, violation_step: isUnsafe ? 2 : null },
      steps: tools.map((tool, i) => ({ i, tool, args: {}, result: '', error: false })),
      split: 'train',
      attack_fold: null,
      task_fold: number % 4,
    })
  })
  await writeFile(file, `${lines.join('\n')}\n`)
}
