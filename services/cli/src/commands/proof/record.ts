import { proofSettings, publicFileOf, startProofService, writeKeyPair } from '@plimsoll/proof'
import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf } from '../../command.js'
import { serveUntil } from '../../deployment.js'
import { plainText } from '../../format/text.js'

export const proofKey = defineCommand({
  name: 'proof key',
  summary: 'makes the key pair of checkpoints',
  description:
    'Writes an Ed25519 key that only you can read, and beside it the public key with the ending `.pub`, by which anybody verifies. Give the public key to auditors before the first checkpoint: who can change it can forge proofs.',
  operands: [['<FILE>', 'the file of the signing key; it must not exist']],
  options: {},
  examples: [['proof.pem', 'makes proof.pem and proof.pem.pub']],
  async run(_values, [file = ''], { stdout }) {
    await writeKeyPair(file)
    stdout.write(`${plainText(file)} signs, ${plainText(publicFileOf(file))} verifies\n`)
    return 0
  },
})

export const proofRecord = defineCommand({
  name: 'proof record',
  summary: 'records decisions, approvals and control changes, and signs them',
  description:
    'Reads the topics of events and decisions and adds to one file for each tenant, which proves itself: a tree of hashes, with signed checkpoints. Goes on where the files end, also after it was killed. Serves /metrics, /healthz and /readyz, waits while Kafka is away, and on SIGTERM signs the rest and leaves.',
  options: {},
  environment: environmentOf(proofSettings),
  examples: [['', 'one recorder, on the Kafka of the environment']],
  async run(_values, _operands, { env, stdout, signal }) {
    const config = parseConfig(proofSettings, env, {
      prefixes: ['PLIMSOLL_PROOF_'],
      checks: [checkKafkaSettings],
    })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startProofService({ config, write, signal }))
    return 0
  },
})
