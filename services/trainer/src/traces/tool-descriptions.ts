import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import { z } from 'zod'
import { NO_DESCRIPTIONS, type DescribeTool } from './blind.js'

const listSchema = z.record(
  z.string(),
  z.array(z.looseObject({ name: z.string(), description: z.string().nullish() })),
)

/**
 * The descriptions in `tools.json` beside each file of recordings; none where there is no such file.
 *
 * @throws PlimsollError `traces_invalid` where it is there and is no list of tools
 */
export async function readDescriptions(files: readonly string[]): Promise<DescribeTool> {
  const folders = [...new Set(files.map((file) => path.dirname(path.resolve(file))))]
  const lists = await Promise.all(folders.map((folder) => readList(path.join(folder, 'tools.json'))))
  const known = new Map<string, string>()
  for (const list of lists)
    for (const [ref, tools] of Object.entries(list))
      for (const { name, description } of tools) if (description) known.set(keyOf(ref, name), description)
  return known.size === 0 ? NO_DESCRIPTIONS : (ref, tool) => known.get(keyOf(ref, tool))
}

async function readList(file: string): Promise<z.infer<typeof listSchema>> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return {}
  try {
    return listSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new PlimsollError('traces_invalid', `\`${file}\` is no list of tools by name`, { cause })
  }
}

const keyOf = (ref: string, tool: string): string => `${ref}\n${tool}`
