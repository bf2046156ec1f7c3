import type { ClaimedLabels } from '@plimsoll/contracts'
import { raise, signal, type Effects } from '../effects.js'
import { hasOption, operandsOf, type Call } from './call.js'
import { COMMAND_LABELS } from './commands.js'

const { LOOK, READ, WRITE, EXECUTE, DESTROY, ASK, SEND, INSTALL } = COMMAND_LABELS
const PUSH: ClaimedLabels = { ...ASK, confidentiality: 'internal', reversibility: 'partial' }

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

type Line = readonly [names: ReadonlySet<string>, labels: ClaimedLabels]

/** Commands whose first operands say what they do; a line further down goes before one further up where several match. */
const TABLES: Readonly<Record<string, readonly Line[]>> = {
  git: [
    [
      words(
        'status branch tag rev-parse rev-list describe ls-files ls-tree config version help remote worktree count-objects check-ignore',
      ),
      LOOK,
    ],
    [
      words(
        'log diff show blame grep shortlog reflog cat-file whatchanged range-diff format-patch bisect fsck',
      ),
      READ,
    ],
    [
      words(
        'add commit checkout switch merge rebase cherry-pick revert stash init restore mv apply am notes gc rm reset',
      ),
      WRITE,
    ],
    [words('clone fetch pull submodule ls-remote archive lfs'), INSTALL],
    [words('push svn p4'), PUSH],
    [words('send-email'), SEND],
    [words('clean filter-branch filter-repo prune'), DESTROY],
  ],
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
  git: EXECUTE,
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

/** Whether the command is one whose words say what it does; if so, raises what they say. `otherwise` is what its name alone says. */
export function readSubcommand(call: Call, otherwise: ClaimedLabels | undefined, effects: Effects): boolean {
  const name = ALIASES[call.name] ?? call.name
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined
  const fallback = (Object.hasOwn(OTHERWISE, name) ? OTHERWISE[name] : undefined) ?? otherwise
  if (!fallback || (!table && !Object.hasOwn(OTHERWISE, name))) return false
  if (isHelp(call)) return true
  const seen = [...operandsOf(call).slice(0, 3), ...call.args.slice(0, 1)]
  const first = name === 'git' ? seen.slice(0, call.args[0]?.startsWith('-') ? 3 : 1) : seen
  const lines = (table ?? []).filter(([names]) => first.some((word) => names.has(word)))
  const reason = `\`${name}\` and what it is told to do`
  if (lines.length === 0) raise(effects, fallback, reason)
  for (const [, labels] of lines) raise(effects, labels, reason)
  if (name === 'git') readGit(call, first[0] ?? '', effects)
  return true
}

/** Asked for its version or a page of help, a command does nothing else. */
export const isHelp = (call: Call): boolean =>
  call.args.length === 1 &&
  (call.args[0] === '--help' || call.args[0] === '--version' || call.args[0] === '-V')

function readGit(call: Call, sub: string, effects: Effects): void {
  const lost =
    (sub === 'reset' && hasOption(call, '', '--hard')) ||
    (sub === 'push' && hasOption(call, 'fd', '--force', '--delete', '--mirror')) ||
    (sub === 'branch' && hasOption(call, 'D', '--delete')) ||
    ((sub === 'checkout' || sub === 'restore') && call.args.includes('.')) ||
    (sub === 'stash' && (call.args.includes('drop') || call.args.includes('clear')))
  if (lost) {
    raise(effects, { reversibility: 'irreversible' }, '`git` that throws work away')
    signal(effects, 'destructive', 1)
  }
  const operands = operandsOf(call).length
  const writes = { branch: operands > 1, tag: operands > 1, remote: operands > 2, worktree: operands > 2 }
  if (Object.hasOwn(writes, sub) && writes[sub as keyof typeof writes]) raise(effects, WRITE)
  // Settings can name programs that git runs.
  if (
    (sub === 'config' && operands > 2) ||
    call.args.some((arg) => arg === '-c' || arg.startsWith('--upload-pack'))
  )
    raise(effects, EXECUTE, '`git` with settings of its own')
}
