import type { Call } from '../call.js'

/** Whether pods are deleted whose names a controller gave: it makes them again at once, so this restarts them. */
export function restartsPods({ name, args }: Pick<Call, 'name' | 'args'>): boolean {
  if (name !== 'kubectl') return false
  const [verb, kind = '', ...names] = args.filter(
    (word, i) => !word.startsWith('-') && !WHERE.test(args[i - 1] ?? ''),
  )
  const pods = /^pods?$|^po$/.test(kind) ? names : /^pods?\//.test(kind) ? [kind, ...names] : []
  return verb === 'delete' && pods.length > 0 && pods.every((name) => OF_CONTROLLER.test(name))
}
/** Options that take the next word. */
const WHERE = /^(?:-n|--(?:namespace|context|cluster|kubeconfig|grace-period|timeout))$/
/** Names that a stateful set, a deployment or a daemon set gives. */
const OF_CONTROLLER =
  /^(?:pods?\/)?[a-z\d][a-z\d.-]{0,200}-(?:\d{1,4}|[a-z\d]{5,10}-[bcdfghjklmnpqrstvwxz\d]{5}|[bcdfghjklmnpqrstvwxz\d]{5})$/
