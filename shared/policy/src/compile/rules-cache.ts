import {
  type DocumentKind,
  type Documents,
  type RegisteredDocument,
  type Versions,
  PlimsollError,
  versionOf,
} from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import { compileRules, versionsOf } from './rules.js'

/** The rules of any three documents that are known, compiled when they are first asked for. */
export interface RulesCache {
  /** The rules of `versions`; undefined where one of them is not known. */
  rules(versions: Versions): Rules | undefined
  /** What new sessions get where nothing else was activated. */
  readonly defaults: Versions
}

export interface RulesCacheOptions {
  /** Documents that are there without a registry; the first are the defaults. */
  readonly defaults: readonly [Documents, ...Documents[]]
  /** A document by its version, from wherever others are registered; asked each time that rules are compiled. */
  readonly document?: (version: string) => RegisteredDocument | undefined
  /** So many compiled rules are kept, the latest used; those that went are compiled again, in some milliseconds. 16 by default. */
  readonly maxCompiled?: number
}

export function createRulesCache(options: RulesCacheOptions): RulesCache {
  const { defaults, document = () => undefined, maxCompiled = 16 } = options
  const known = new Map(defaults.flatMap(entriesOf))
  /** The least recently used first. */
  const compiled = new Map<string, Rules>()
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
  const keep = (key: string, rules: Rules) => {
    compiled.delete(key)
    compiled.set(key, rules)
    const [oldest] = compiled.keys()
    if (compiled.size > maxCompiled && oldest !== undefined) compiled.delete(oldest)
  }

  return {
    defaults: Object.freeze(versionsOf(defaults[0])),
    rules: (versions) => {
      // Nearly every session is pinned to the same, and comparing is quicker than making a key.
      if (latest && isSame(versions, latest.versions)) return latest
      const key = `${versions.bundle}/${versions.policy}/${versions.catalogue}`
      const rules = compiled.get(key) ?? compile(versions)
      if (!rules) return undefined
      keep(key, rules)
      latest = rules
      return rules
    },
  }
}

/** A bundle of a later version may ask for what this one cannot compute: such rules are not at hand here. */
function compileDocuments(documents: Documents): Rules | undefined {
  try {
    return compileRules(documents)
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'document_invalid') return undefined
    throw error
  }
}

function entriesOf({ bundle, policy, catalogue }: Documents): [string, RegisteredDocument][] {
  const each: readonly RegisteredDocument[] = [
    { kind: 'bundle', version: versionOf(bundle), document: bundle },
    { kind: 'policy', version: versionOf(policy), document: policy },
    { kind: 'catalogue', version: versionOf(catalogue), document: catalogue },
  ]
  return each.map((registered) => [registered.version, registered])
}

const isSame = (a: Versions, b: Versions): boolean =>
  a.bundle === b.bundle && a.policy === b.policy && a.catalogue === b.catalogue
