import { PlimsollError, parseJson } from '@plimsoll/contracts'
import {
  type SignedCheckpoint,
  type Verification,
  readPublicKey,
  signedCheckpointSchema,
  verifyFile,
} from '@plimsoll/proof'
import { defineCommand, json, requiredText, text } from '../../command.js'
import { jsonLine, plainText, timeText } from '../../format/text.js'
import { readBounded } from './read-bounded.js'

export const keyOption = {
  key: requiredText('FILE', 'the public key of the recorder, in PEM'),
}

export const proofVerify = defineCommand({
  name: 'proof verify',
  summary: 'checks that a proof file is as it was signed',
  description:
    'Needs the file and the public key, nothing else. Finds what was changed, dropped, inserted, put in another order or cut before the last checkpoint. A file that was cut at a checkpoint verifies: give a later checkpoint or a receipt that you kept elsewhere. Exits with 1 if the file does not verify.',
  operands: [['<FILE>', 'the proof file of a tenant, or of the fleet']],
  options: {
    ...keyOption,
    checkpoint: text(
      'FILE',
      'a checkpoint that you know, a receipt, or what `--json` printed before: the file must have what it covers',
    ),
    json,
  },
  examples: [
    ['proofs/acme.ndjson --key proof.pem.pub', 'the records of tenant `acme`'],
    [
      'proofs/acme.ndjson --key proof.pem.pub --checkpoint receipt.json',
      'and none is missing that the receipt knew of',
    ],
  ],
  async run({ key: keyFile, checkpoint: file, json }, [proofs = ''], { stdout }) {
    const key = await readPublicKey(keyFile)
    const known = file === undefined ? undefined : await readCheckpoint(file)
    const verification = await verifyFile(proofs, { key, known })
    stdout.write(json ? jsonLine(verification) : verificationText(verification))
    return verification.problem === undefined ? 0 : 1
  },
})

/** A checkpoint by itself, or the one in a receipt or in a verification. */
async function readCheckpoint(file: string): Promise<SignedCheckpoint> {
  const content = parseJson(await readBounded(file)) as { readonly checkpoint?: unknown } | undefined
  for (const candidate of [content, content?.checkpoint]) {
    const { data } = signedCheckpointSchema.safeParse(candidate)
    if (data) return data
  }
  throw new PlimsollError('document_invalid', `\`${file}\` has no signed checkpoint`)
}

function verificationText(found: Verification): string {
  const { tree = 'nothing', entries, erased, unsigned, isUnfinished, checkpoint, problem } = found
  if (problem !== undefined) return `does not verify: ${plainText(problem)}\n`
  const { size = 0, time = 0, root = '' } = checkpoint?.checkpoint ?? {}
  const lines = [
    `verifies: ${entries} entries of ${tree}, ${erased} of them erased`,
    `last checkpoint: ${size} entries, ${timeText(time)}, root ${root}`,
    ...(unsigned > 0 ? [`not signed yet: the last ${unsigned} entries`] : []),
    ...(isUnfinished ? ['the last line is unfinished: it does not count'] : []),
  ]
  return `${lines.join('\n')}\n`
}
