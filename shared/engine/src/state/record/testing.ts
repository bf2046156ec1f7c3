import { MATCHES_LENGTH } from '../../provenance/matches.js'
import { addSource, blinded } from '../../provenance/sources.js'
import { PINS } from '../../testing.js'
import { NO_CONDUCT, conductAfterStep } from '../conduct.js'
import {
  type OpenCall,
  type PendingCall,
  type SessionApproval,
  type SessionState,
  createSessionState,
} from '../session.js'

export const LABELS = { exposure: 4, escalation: 3, reversibility: 2, untrusted: true }
export const REFINED = { tool: 'mystery', labels: LABELS, replaces: true }
export const OPEN: OpenCall = {
  status: 'open',
  callId: 'open',
  source: 9,
  credits: [2, 5],
  tool: 'read_file',
  digest: 'd'.repeat(16),
  since: 3,
  made: 'pmadexyz',
}
export const PENDING: PendingCall = {
  status: 'pending',
  callId: 'pending',
  decisionId: 's#e3#step',
  tool: 'send_email',
  argumentsDigest: 'a'.repeat(64),
  labels: LABELS,
  labelled: true,
  derived: true,
  evidence: 'absent',
  lineEvidence: 'unknown',
  shown: ['line', 'spec'],
  expiresAt: 99,
  matches: Array.from({ length: MATCHES_LENGTH }, (_, i) => i),
  signals: { amount: 0.25 },
  effects: [
    {
      act: 'delete',
      object: 'path',
      reach: 'shared',
      relation: 'unnamed',
      incomplete: true,
      byName: true,
      fingerprint: 'pname777',
    },
    {
      act: 'stop',
      object: undefined,
      reach: undefined,
      relation: 'unknown',
      incomplete: false,
      byName: false,
      fingerprint: '',
    },
  ],
  tags: 5,
  readings: [true, null, 1.5, [1, 2]],
  made: 'pmaketoo',
}
export const APPROVAL: SessionApproval = {
  id: 'e9',
  tool: 'send_email',
  digest: 'd'.repeat(16),
  labels: LABELS,
  lifts: ['line'],
  expiresAt: 7,
}
export const zeros = (length: number): number[] => Array.from({ length }, () => 0)
export const CONDUCT = conductAfterStep(NO_CONDUCT, { conductText: 0.5 })
export const SOURCES = blinded(addSource('', ['a1234567', 'n7654321'], 4))

export const NEW = createSessionState(PINS, 'data', 'mailer', 5)
/** A state with the least in every member that may be left out of a record. */
export const FULL: SessionState = {
  ...NEW,
  producers: [{ name: 'agent', next: 3 }],
  recent: [{ hash: 'A'.repeat(22), verdict: 'warn' }],
  calls: [OPEN, { status: 'blocked', callId: 'blocked' }, PENDING],
  sources: SOURCES,
  history: [0.5],
  bucket: 1,
  refined: [REFINED],
  memory: [0.5],
  conduct: CONDUCT,
  approvals: [APPROVAL],
  own: 'pownxyz2',
  limits: 'oplacexynforbidd',
  payees: 'TcaccountnnameabcRnnameabcsadeeuraUiaccount',
  records: 'nrecordaprecordb',
}

export const open = (change: Partial<OpenCall>) => ({ calls: [{ ...OPEN, ...change }] })
export const pending = (change: Partial<PendingCall>) => ({ calls: [{ ...PENDING, ...change }] })
export const approved = (change: Partial<SessionApproval>) => ({ approvals: [{ ...APPROVAL, ...change }] })
export const inLabels = (change: Partial<typeof LABELS>) => [
  pending({ labels: { ...LABELS, ...change } }),
  approved({ labels: { ...LABELS, ...change } }),
  { refined: [{ ...REFINED, labels: { ...LABELS, ...change } }] },
]
/** The values of one number, each in a state of its own. */
export const each = (values: readonly number[], change: (value: number) => Partial<SessionState>) =>
  values.map(change)
