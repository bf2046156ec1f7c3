import { readFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { PACKS_FOLDER, PACK_NAMES, shippedPack } from '@plimsoll/policy'
import { defineCommand } from '../../command.js'
import { jsonLine } from '../../format/text-table.js'

export const policyPacks = defineCommand({
  name: 'policy packs',
  summary: 'lists the policy packs that ship, or shows one',
  description: [
    'A policy switches packs on by name, as in `packs: [baseline, payments]`. Without a name this lists each pack with its specs; with one it',
    'prints the file of the pack. What each spec is for: docs/reference/packs.md.',
  ],
  operands: { name: 'NAME', help: 'the pack to show', min: 0, max: 1 },
  options: { json: { type: 'flag', help: 'one JSON object on stdout' } },
  examples: [
    ['', 'the names of all packs and specs'],
    ['payments', 'the file of one, to copy a spec from'],
  ],
  async run({ json }, [name], { stdout }) {
    if (name !== undefined && !shippedPack(name))
      throw new PlimsollError(
        'usage_invalid',
        `there is no pack \`${name}\`: name one of ${PACK_NAMES.join(', ')}`,
      )
    const packs = (name === undefined ? PACK_NAMES : [name]).flatMap((each) => shippedPack(each) ?? [])
    if (json) stdout.write(jsonLine({ packs }))
    else if (name === undefined) stdout.write(packs.map(listed).join('\n'))
    else stdout.write(await readFile(new URL(`${name}.yaml`, PACKS_FOLDER), 'utf8'))
    return 0
  },
})

type Pack = NonNullable<ReturnType<typeof shippedPack>>

/** The name of a pack, then a line for each spec. */
const listed = ({ name, specs }: Pack): string =>
  [name, ...specs.map(({ id, tier }) => `  ${tier.padEnd(12)} ${id}`), ''].join('\n')
