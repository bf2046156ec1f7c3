import type { Documents, Policy, RegisteredDocument, Spec } from '@plimsoll/contracts'
import { DOCUMENT_KINDS, versionOf } from '@plimsoll/contracts'
import type { Registry } from '@plimsoll/runtime'
import type { Policies, PolicyRow, PolicyUse, ReasonCount, SpecRow } from '../api.js'
import type { FleetControls } from './fleet-controls.js'

const POLICIES_MAX = 100
const SPECS_MAX = 500
const OTHERS_MAX = 500

/** Finds a document by its version; undefined where nobody here has it. */
export type FindDocument = (version: string) => RegisteredDocument | undefined

/** In the registry, or among `own`, by which monitors may judge without a registry. */
export function createFindDocument(
  own: readonly Documents[],
  registry: Pick<Registry, 'document'> | undefined,
): FindDocument {
  const known = new Map(
    own
      .flatMap((documents) => DOCUMENT_KINDS.map((kind) => ({ kind, document: documents[kind] })))
      .map(({ kind, document }) => {
        const version = versionOf(document)
        return [version, { kind, version, document } as RegisteredDocument] as const
      }),
  )
  return (version) => registry?.document(version) ?? known.get(version)
}

/** What a page of policies is made from. */
export interface PolicySources {
  readonly controls: Pick<FleetControls, 'registry' | 'status'>
  readonly findDocument: FindDocument
  /** Of the tenants that may be seen, the most live sessions first. */
  readonly uses: readonly PolicyUse[]
  /** The most frequent first. */
  readonly counts: readonly ReasonCount[]
  /** Whether registered policies are listed that are not in use. */
  readonly seesAll: boolean
}

/** @param wanted the version to show; the first of the list if it is undefined or unknown */
export function policiesOf(sources: PolicySources, wanted: string | undefined): Policies {
  const policies = rowsOf(sources)
  const shown = policies.find(({ version }) => version === wanted) ?? policies[0]
  const policy = shown && policyIn(sources.findDocument, shown.version)
  const { counts } = sources
  if (!shown || !policy) return { policies, others: counts.slice(0, OTHERS_MAX) }
  const specs = specRows(policy, counts)
  const ids = new Set(policy.specs.map(({ id }) => id))
  return {
    policies,
    shown: {
      version: shown.version,
      name: policy.name,
      specs: specs.slice(0, SPECS_MAX),
      isCut: specs.length > SPECS_MAX,
    },
    others: counts.filter(({ code }) => !ids.has(code)).slice(0, OTHERS_MAX),
  }
}

export function policyIn(findDocument: FindDocument, version: string): Policy | undefined {
  const found = findDocument(version)
  return found?.kind === 'policy' ? found.document : undefined
}

/** The active one first, then those with the most live sessions, the shadow, and those that are registered. */
function rowsOf({ controls, findDocument, uses, seesAll }: PolicySources): readonly PolicyRow[] {
  const { registry } = controls
  const status = controls.status()
  const active = status?.active.policy
  const shadow = status?.shadow?.policy
  const registered = (registry?.documents() ?? []).filter(({ kind }) => kind === 'policy')
  const versions = new Set([
    ...(active === undefined ? [] : [active]),
    ...uses.map(({ version }) => version),
    ...(shadow === undefined ? [] : [shadow]),
    ...(seesAll ? registered.map(({ version }) => version).toReversed() : []),
  ])
  return [...versions].slice(0, POLICIES_MAX).map((version) => {
    const policy = policyIn(findDocument, version)
    return {
      version,
      ...(policy && { name: policy.name }),
      isActive: version === active,
      isShadow: version === shadow,
      isRegistered: registry?.document(version) !== undefined,
      uses: uses.filter((use) => use.version === version),
    }
  })
}

/** Of one id: a spec may have reasons of several sources. */
function specRows({ specs }: Policy, counts: readonly ReasonCount[]): readonly SpecRow[] {
  const byCode = new Map<string, ReasonCount[]>()
  for (const each of counts) byCode.set(each.code, [...(byCode.get(each.code) ?? []), each])
  const rows = specs.map((spec) => specRow(spec, byCode.get(spec.id) ?? []))
  const weightOf = ({ asked, blocked, warned, lifted }: SpecRow) => asked + blocked + warned + lifted
  return rows.toSorted((a, b) => weightOf(b) - weightOf(a))
}

function specRow({ id, tier, message, requirements }: Spec, counts: readonly ReasonCount[]): SpecRow {
  const sum = (of: 'asked' | 'blocked' | 'warned' | 'lifted' | 'sessions') =>
    counts.reduce((total, each) => total + each[of], 0)
  return {
    id,
    tier,
    ...(message !== undefined && { message }),
    ...(requirements && { requirements }),
    asked: sum('asked'),
    blocked: sum('blocked'),
    warned: sum('warned'),
    lifted: sum('lifted'),
    sessions: Math.max(0, ...counts.map(({ sessions }) => sessions)),
  }
}
