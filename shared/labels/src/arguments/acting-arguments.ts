import { type Call, does, raise } from './effects.js'

/** Arguments of one call that are read, and the longest name and value, in characters. */
const ARGUMENTS_MAX = 256
const NAME_MAX = 64
const VALUE_MAX = 256

/** Flags that delete, whatever the tool does without them. `include_deleted` does not. */
const DELETES =
  /^(?:do_?)?(?:delete|remove|destroy|wipe|purge|truncate|drop|erase|in_?trash)(?:_?(?:all|it|now|permanently|forever))?$/i
/** Flags of agents' shells by which a command runs outside their sandbox. */
const LEAVES_SANDBOX = /^dangerously[_-]?(?:disable|skip|bypass)/i
/** Flags that show something to everybody. */
const OPENS =
  /^(?:is_?|make_?|set_?|share_?)?(?:public(?:ly)?|anyone(?:_?with_?(?:the_?)?link)?|world_?readable|everyone)$/i
const SHARES =
  /(?:^|[^a-z])(?:share[ds]?|sharing|link|publish|access|permissions?|visibility|acl)(?:[^a-z]|$)/i
/** Arguments that say which records a change is about. */
const SELECTS = /^(?:where|filter|condition|criteria|predicate|query_?filter|match)$/i
/** A selection of every record. */
const EVERY = /^\s{0,8}(?:true|1|1\s?=\s?1|'1'\s?=\s?'1'|\*|\{\s{0,8}\}|all)\s{0,8};?$/i
const TARGET = /^(?:to|dest(?:ination)?(?:_?path)?|target(?:_?path)?|new_?path)$/i

/**
 * Records acts that an argument shows whatever the tool is called, also if it only reads without them: a flag that deletes, shows to everybody or leaves
 * a sandbox, a selection of every record, a file that is moved to nowhere. Linear in the arguments.
 */
export function readActingArguments(tool: string, args: Readonly<Record<string, unknown>>, call: Call): void {
  const { effects, worst, method } = call
  if (method === 'GET' || method === 'HEAD') return
  // `public` of a tool that lists is a filter.
  const mayOpen = (worst !== undefined && worst.capability !== 'read') || SHARES.test(tool.slice(0, 200))
  let left = ARGUMENTS_MAX
  for (const name in args) {
    if ((left -= 1) < 0) return
    const value = args[name]
    if (name.length > NAME_MAX || (typeof value === 'string' && value.length > VALUE_MAX)) continue
    if (value === true && LEAVES_SANDBOX.test(name)) {
      raise(
        effects,
        { capability: 'execute', reversibility: 'irreversible' },
        'it leaves the sandbox of the agent',
      )
      does(effects, 'grant')
    } else if (value === true && DELETES.test(name)) {
      raise(
        effects,
        { capability: 'write', reversibility: 'irreversible' },
        'an argument asks for a deletion',
      )
      does(effects, 'delete')
    } else if (mayOpen && value === true && OPENS.test(name)) {
      raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'an argument lets everybody in')
      does(effects, 'grant')
    } else if (worst === undefined || worst.capability === 'read' || typeof value !== 'string') continue
    else if (SELECTS.test(name) && EVERY.test(value)) {
      raise(effects, { reversibility: 'irreversible' }, 'every record is changed')
      does(effects, 'delete')
    } else if (TARGET.test(name) && value === '/dev/null') {
      raise(effects, { reversibility: 'irreversible' }, 'a file is moved to nowhere')
      does(effects, 'delete')
    }
  }
}
