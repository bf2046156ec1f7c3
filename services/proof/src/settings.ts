import {
  SIGNING_KEY,
  type ConfigOf,
  identitySettings,
  kafkaSettings,
  serviceSettings,
  setting,
} from '@plimsoll/runtime'

/** What `plimsoll proof record` reads from its environment. */
export const proofSettings = {
  ...kafkaSettings,
  ...serviceSettings,
  ...identitySettings,
  folder: setting.text({
    env: 'PLIMSOLL_PROOF_DIR',
    doc: 'Folder of the proof files, one for each tenant. One recorder writes there.',
    expects: 'the path of a folder',
    required: true,
  }),
  keyFile: setting.text({
    env: 'PLIMSOLL_PROOF_KEY_FILE',
    doc: 'File of the Ed25519 key that signs checkpoints, which only its user can read: `plimsoll proof key` makes one.',
    expects: 'the path of a file',
    required: true,
  }),
  checkpointSeconds: setting.integer({
    env: 'PLIMSOLL_PROOF_CHECKPOINT_SECONDS',
    doc: 'How long a record waits for its checkpoint at most.',
    default: '10',
    min: 1,
    max: 3_600,
  }),
  signingKey: setting.text({ ...SIGNING_KEY, required: true }),
}

export type ProofConfig = ConfigOf<typeof proofSettings>
