import type { Analysis, Catalogue, Policy } from '@plimsoll/contracts'
import { samplePolicy } from '../sample-documents.js'

/** Tools of an office, for tests. */
export const OFFICE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'office',
  tools: [
    {
      tools: ['read_mail'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'untrusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['read_news'],
      labels: {
        capability: 'read',
        confidentiality: 'public',
        trust: 'trusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['redact'],
      labels: {
        capability: 'read',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'reversible',
        tags: ['redacts'],
      },
    },
    {
      tools: ['move_meeting'],
      labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
    },
    {
      tools: ['send_mail'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
  ],
}

/** Mild where nothing is restricted: the line lets all run. */
export function officePolicy(analysis: Analysis, ...specs: Policy['specs']): Policy {
  return {
    ...samplePolicy(...specs),
    analysis,
    line: { present: 'allow', absent: 'allow', unknown: 'allow' },
    hazard: ['allow', 'warn', 'confirm'],
  }
}

export const hazardOf = (
  reached: NonNullable<NonNullable<Analysis['hazards']>[number]['reached']>,
  id = 'H',
): Analysis => ({ hazards: [{ id, text: 'what must not be', reached }] })
