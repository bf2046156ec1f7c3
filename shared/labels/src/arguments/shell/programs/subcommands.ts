import { type ClaimedLabels, CAPABILITIES } from '@plimsoll/contracts'
import { does, raise, signal } from '../../effects.js'
import { type Call, type ShellContext, isOpen, operandsOf } from '../call.js'
import { COMMAND_LABELS } from './commands.js'

const { LOOK, READ, WRITE, EXECUTE, DESTROY, ASK, SEND, INSTALL } = COMMAND_LABELS

const NETWORK = CAPABILITIES.indexOf('network')

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

type Line = readonly [names: ReadonlySet<string>, labels: ClaimedLabels]

/** Commands whose first operands say what they do; a line further down goes before one further up where several match. */
const TABLES: Readonly<Record<string, readonly Line[]>> = {
  docker: [
    [words('ps images inspect logs version info top stats diff history port search context ls events'), READ],
    [
      words(
        'build run exec start stop restart create commit tag cp compose rename update pause unpause kill wait attach load import export save network volume',
      ),
      EXECUTE,
    ],
    [words('pull'), INSTALL],
    [words('push login'), SEND],
    [words('rm rmi prune down'), DESTROY],
  ],
  kubectl: [
    [words('get describe logs top explain version api-resources cluster-info config diff auth'), READ],
    [
      words(
        'apply create run exec patch edit scale rollout set label annotate expose cp port-forward attach cordon uncordon taint',
      ),
      { ...EXECUTE, capability: 'network' },
    ],
    [words('delete drain replace'), { ...DESTROY, capability: 'network' }],
    [words('secret secrets'), { confidentiality: 'credentials' }],
  ],
  aws: [
    [words('ls list describe-instances help'), ASK],
    [words('configure sts'), { ...ASK, confidentiality: 'credentials' }],
    [words('secretsmanager ssm get-secret-value get-parameter'), { confidentiality: 'credentials' }],
  ],
  gh: [
    [words('view list status diff checks browse search'), ASK],
    [words('clone checkout'), INSTALL],
    [words('auth secret'), { ...ASK, confidentiality: 'credentials' }],
  ],
  npm: [
    [
      words('ls list view info outdated why version help root prefix bin config explain search ping whoami'),
      LOOK,
    ],
    [words('publish login adduser token unpublish deprecate owner access'), SEND],
    [words('run test start stop restart build exec'), EXECUTE],
  ],
  pip: [
    [words('list show freeze check help config cache debug inspect'), LOOK],
    [words('uninstall'), WRITE],
  ],
  apt: [
    [words('list show search policy depends rdepends showpkg'), LOOK],
    [words('remove purge autoremove clean autoclean'), EXECUTE],
  ],
  cargo: [
    [words('build test run check clippy fmt bench doc clean tree metadata'), EXECUTE],
    [words('publish login yank owner'), SEND],
  ],
  go: [[words('build test run vet fmt doc env list version generate tool clean'), EXECUTE]],
  systemctl: [[words('status list-units list-unit-files is-active is-enabled show cat list-timers'), READ]],
  service: [[words('status'), READ]],
  dpkg: [[words('-l -L -s --list --listfiles --status'), LOOK]],
  rpm: [[words('-qa -q -qi -ql'), LOOK]],
  terraform: [
    [words('plan validate fmt show output version providers graph'), EXECUTE],
    [words('apply import init workspace'), { ...EXECUTE, capability: 'network' }],
    [words('destroy state taint'), { ...DESTROY, capability: 'network' }],
  ],
  poetry: [
    [words('show check version env run build config'), EXECUTE],
    [words('publish'), SEND],
  ],
}

const ALIASES: Readonly<Record<string, string>> = {
  podman: 'docker', nerdctl: 'docker', yarn: 'npm', pnpm: 'npm', bun: 'npm', pip2: 'pip', pip3: 'pip', 'apt-get': 'apt', yum: 'apt', dnf: 'apt',
  oc: 'kubectl', tofu: 'terraform', 'apt-cache': 'apt',
} // prettier-ignore

/** What such a command is where none of its words is known. */
const OTHERWISE: Readonly<Record<string, ClaimedLabels>> = {
  docker: EXECUTE,
  kubectl: { ...EXECUTE, capability: 'network' },
  aws: SEND,
  gcloud: SEND,
  az: SEND,
  gh: SEND,
  helm: { ...EXECUTE, capability: 'network' },
  terraform: { ...EXECUTE, capability: 'network' },
  heroku: SEND,
  vercel: SEND,
  netlify: SEND,
  twine: SEND,
}

/** Options by which such a command talks to another host, or reads other settings than those that are there. */
const ELSEWHERE =
  /^(?:-H|--(?:host|context|server|kubeconfig|endpoint-url|proxy|proxy-url|tls\w*|registry|token|as|url|config|profile|cluster|project|account|impersonate\S*|no-verify-ssl|plugin\S*))(?:=|$)/
/** Words of such a command that only look. */
const LOOKS: ReadonlySet<ClaimedLabels> = new Set([LOOK, READ])

/**
 * Whether the command is one whose words say what it does; if so, raises what they say. `otherwise` is what its name alone says. What only
 * looks is understood; what starts something, or reaches a host that its words do not name, is not.
 */
export function readSubcommand(
  call: Call,
  otherwise: ClaimedLabels | undefined,
  context: ShellContext,
): boolean {
  const { effects } = context
  const name = ALIASES[call.name] ?? call.name
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined
  const fallback = (Object.hasOwn(OTHERWISE, name) ? OTHERWISE[name] : undefined) ?? otherwise
  if (!fallback || (!table && !Object.hasOwn(OTHERWISE, name))) return false
  if (isHelp(call)) return true
  const seen = [...operandsOf(call).slice(0, 3), ...call.args.slice(0, 1)]
  const lines = (table ?? []).filter(([names]) => seen.some((word) => names.has(word)))
  const reason = `\`${name}\` and what it is asked to do`
  if (lines.length === 0) raise(effects, fallback, reason)
  for (const [, labels] of lines)
    raise(effects, labels, reason, labels === ASK && !isOpen(call) && !call.piped)
  noteActs(
    name,
    call,
    lines.map(([, labels]) => labels),
    context,
  )
  const first = lines.find(([names]) => names.has(seen[0] ?? ''))
  // A word that looks further behind says nothing of the one that comes first: `docker frob ps`.
  if (lines.length > 0 && first === undefined) raise(effects, EXECUTE, reason)
  readElsewhere(
    call,
    lines.some(([, labels]) => !LOOKS.has(labels)),
    context,
  )
  return true
}

/** Words by which a command line of a cloud, a cluster or a registry takes away what is there, or publishes. */
const TAKES_AWAY =
  /(?:^|[:_-])(?:delete|destroy|terminate|remove|purge|drop|uninstall|deregister|prune|rm|rb|rmi|del|down|drain|nuke|wipe|flush\w*)(?:[:_-]|$)/
const DROPS = /^\W{0,4}(?:drop|truncate)\s+\w|^\W{0,4}delete\s+from\s/i
const TAKING_OPTION = /^--?(?:destroy|delete|purge|prune|drop|remove|force-reset)(?:=|$)/
/** Words by which somebody is let in, or what was private is shown. */
const GRANT_WORDS =
  /^(?:attach-\w+-policy|put-\w+-policy|create-access-key|add-user-to-group|create-login-profile|(?:cluster)?rolebinding|put-(?:bucket|object)-acl|put-bucket-policy|(?:add|set)-iam-policy(?:-binding)?|authorize-security-group-ingress|grant(?:-.*)?|add-permission)$/
const PAYS = /^(?:payouts?|refunds?|charges?|transfers?|payment_intents?)$/
const PUBLISHES = /^(?:publish|release|deploy|unpublish)(?:-|$)/
const LISTS = /^(?:list|view|show|get|describe|status|download|diff)$/
const ACTING = words(
  'docker kubectl aws gcloud az gh helm terraform heroku vercel netlify npm cargo poetry twine',
)

function noteActs(
  name: string,
  call: Call,
  lines: readonly ClaimedLabels[],
  { effects }: ShellContext,
): void {
  if (!ACTING.has(name)) return
  const asked = operandsOf(call).slice(0, 4)
  noteVerbs(call, effects)
  const verb = LISTS.test(asked.at(1) ?? '') ? '' : (asked.find((word) => PUBLISHES.test(word)) ?? '')
  const isPushed =
    lines.includes(SEND) && (name === 'docker' || name === 'npm' || name === 'cargo' || name === 'poetry')
  if (isPushed || name === 'twine' || (name !== 'kubectl' && PUBLISHES.test(verb))) does(effects, 'publish')
}

/** What a program that nobody here knows says that it does, by the first of its words: `zfs destroy`, `heroku apps:destroy`, `stripe refunds create`. */
export function noteVerbs(call: Call, effects: ShellContext['effects']): void {
  const asked = operandsOf(call).slice(0, 4)
  const { args } = call
  const isDeletion =
    args.some((arg) => DROPS.test(arg)) ||
    args.some((arg, i) => /^(?:-X|--method)$/.test(arg) && args[i + 1] === 'DELETE')
  if (isDeletion || args.some((arg) => TAKING_OPTION.test(arg)) || asked.some(takesAway))
    lastingly('delete', 'a program that takes away what is there', effects)
  if (asked.some((word) => GRANT_WORDS.test(word)) || /--visibility[= ]public/.test(args.join(' ')))
    lastingly('grant', 'a program that lets somebody in', effects)
  if (call.name === 'stripe' && PAYS.test(asked[0] ?? '') && asked.includes('create'))
    lastingly('pay', 'a program that pays', effects)
}

const takesAway = (word: string): boolean => word.length <= 64 && !/[/.]/.test(word) && TAKES_AWAY.test(word)

function lastingly(act: Parameters<typeof does>[1], reason: string, effects: ShellContext['effects']): void {
  raise(effects, { reversibility: 'irreversible' }, reason)
  does(effects, act)
}

function readElsewhere(call: Call, acts: boolean, context: ShellContext): void {
  const { effects, variables } = context
  for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
  if (call.args.some((arg) => ELSEWHERE.test(arg)))
    raise(effects, { ...ASK, reversibility: 'irreversible' }, 'a command that talks to another host')
  else if (!acts || effects.capability < NETWORK) return
  signal(effects, 'outside', 1)
}

/** Asked for its version or a page of help, a command does nothing else. */
export const isHelp = (call: Call): boolean =>
  call.args.length === 1 &&
  (call.args[0] === '--help' || call.args[0] === '--version' || call.args[0] === '-V')
