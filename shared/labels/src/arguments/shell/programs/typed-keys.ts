import { longPattern } from '../../../text/data.js'
import type { Call } from '../call.js'

const KEY = longPattern('typed-keys.KEY')

/** The text that a command types into another terminal, without its keys: `tmux send-keys -t a 'ls' Enter`, `screen -X stuff 'ls^M'`. */
export function typedKeys({ name, args }: Pick<Call, 'name' | 'args'>): string | undefined {
  if (name === 'screen') {
    const at = args.indexOf('stuff')
    return at < 0 ? undefined : (args[at + 1] ?? '').replace(/(?:\^M|\\n|\\r|\n)+$/, '')
  }
  const at = args.findIndex((arg) => arg === 'send-keys' || arg === 'send')
  if (at < 0) return undefined
  const words: string[] = []
  for (let i = at + 1; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (/^-[tN]$/.test(arg)) i++
    else if (!/^-\w+$/.test(arg) && !KEY.test(arg)) words.push(arg)
  }
  return words.join(' ')
}
