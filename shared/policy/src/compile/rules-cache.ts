import {
  type DocumentKind,
  type Documents,
  type RegisteredDocument,
  type Versions,
  PlimsollError,
} from '@plimsoll/contracts'
import type { RulesCache as PinnedRules, Rules } from '@plimsoll/engine'
import QuickLRU from 'quick-lru'
import { compileRules, versionsOf } from './rules.js'

/** The rules of any three known documents, compiled on first use. */
export interface RulesCache {
  /** The rules of `versions`; undefined where a document is unknown. */
  rules(versions: Versions): Rules | undefined
  /** The versions of new sessions while no others are activated. */
  readonly defaults: Versions
}

export interface RulesCacheOptions {
  /** Documents that are available without a registry; the first are the defaults. */
  readonly defaults: readonly [Documents, ...Documents[]]
  /** Looks a document up by its version, in a registry; called whenever rules are compiled. */
  readonly document?: (version: string) => RegisteredDocument | undefined
  /** Most compiled rules that are kept, the latest used; others are compiled again, in milliseconds. 16 by default. */
  readonly maxCompiled?: number
}

export function createRulesCache(options: RulesCacheOptions): RulesCache {
  const { defaults, document = () => undefined, maxCompiled = 16 } = options
  const known = new Map(defaults.flatMap(registered).map((each) => [each.version, each]))
  const compiled = new QuickLRU<string, Rules>({ maxSize: maxCompiled })
  let latest: Rules | undefined

  const find = <K extends DocumentKind>(kind: K, version: string): Documents[K] | undefined => {
    const found = known.get(version) ?? document(version)
    return found?.kind === kind ? (found.document as Documents[K]) : undefined
  }
  const compile = (versions: Versions): Rules | undefined => {
    const bundle = find('bundle', versions.bundle)
    const policy = find('policy', versions.policy)
    const catalogue = find('catalogue', versions.catalogue)
    return bundle && policy && catalogue && compileDocuments({ bundle, policy, catalogue })
  }

  return {
    defaults: Object.freeze(versionsOf(defaults[0])),
    rules: (versions) => {
      // Nearly every session is pinned to the same versions, and comparing is faster than building a key.
      if (latest && isSame(versions, latest.versions)) return latest
      const key = keyOf(versions)
      const rules = compiled.get(key) ?? compile(versions)
      if (!rules) return undefined
      compiled.set(key, rules)
      latest = rules
      return rules
    },
  }
}

/** A bundle of a later version may need features that this engine lacks: its rules are not available here. */
function compileDocuments(documents: Documents): Rules | undefined {
  try {
    return compileRules(documents)
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'document_invalid') return undefined
    throw error
  }
}

function registered(documents: Documents): RegisteredDocument[] {
  const versions = versionsOf(documents)
  const kinds: readonly DocumentKind[] = ['bundle', 'policy', 'catalogue']
  return kinds.map(
    (kind) => ({ kind, version: versions[kind], document: documents[kind] }) as RegisteredDocument,
  )
}

/** Compiled rules for the engine: `active` are those of new sessions, and every session finds the rules that it is pinned to. */
export function createPinnedRules(active: Rules, others: readonly Rules[] = []): PinnedRules {
  const byPins = new Map([...others, active].map((rules) => [keyOf(rules.versions), rules]))
  return {
    active,
    pinned: (versions) => (isSame(versions, active.versions) ? active : byPins.get(keyOf(versions))),
  }
}

const isSame = (a: Versions, b: Versions): boolean =>
  a.bundle === b.bundle && a.policy === b.policy && a.catalogue === b.catalogue

const keyOf = ({ bundle, policy, catalogue }: Versions): string => `${bundle}/${policy}/${catalogue}`
