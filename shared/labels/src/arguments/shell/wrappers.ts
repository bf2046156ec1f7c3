import { restOf, type Call } from './call.js'

/** A command that runs another one, given behind its own options and operands. */
interface Wrapper {
  /** Options that take the next word. */
  readonly valued: string
  /** Operands of its own that come first: a duration, a folder. */
  readonly operands?: number
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: '-u -g -h -p -C -T -U -D -R --user --group --host --prompt --chdir' },
  doas: { valued: '-u -C' },
  env: { valued: '-u -C -S --unset --chdir' },
  nohup: { valued: '' },
  setsid: { valued: '' },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n -p' },
  time: { valued: '-f -o' },
  timeout: { valued: '-s -k --signal --kill-after', operands: 1 },
  stdbuf: { valued: '-i -o -e' },
  chroot: { valued: '', operands: 1 },
  command: { valued: '' },
  builtin: { valued: '' },
  exec: { valued: '-a' },
  xargs: { valued: '-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --replace --arg-file' },
  parallel: { valued: '-j -N -n -I -a --jobs --arg-file' },
  watch: { valued: '-n --interval' },
  flock: { valued: '-w -E', operands: 1 },
  busybox: { valued: '' },
  unshare: { valued: '' },
  nsenter: { valued: '-t' },
  catchsegv: { valued: '' },
  proot: { valued: '-r -b -w' },
  fakeroot: { valued: '' },
  firejail: { valued: '' },
  taskset: { valued: '', operands: 1 },
  numactl: { valued: '' },
}

const VALUED = new Map(
  Object.entries(WRAPPERS).map(([name, { valued }]) => [name, new Set(valued.split(' '))]),
)

/** These let what they run act as somebody else, mostly root. */
export const PRIVILEGED: ReadonlySet<string> = new Set([
  'sudo',
  'doas',
  'su',
  'pkexec',
  'runuser',
  'nsenter',
  'chroot',
  'unshare',
])

/** The command that `call` runs; `none` where it wraps nothing (`env`), undefined where it is no wrapper. */
export function unwrap(call: Call): Call | 'none' | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, call.name) ? WRAPPERS[call.name] : undefined
  if (!wrapper) return undefined
  let operands = wrapper.operands ?? 0
  let at = 0
  for (; at < call.args.length; at += 1) {
    const arg = call.args[at] ?? ''
    if (arg === '--') {
      at += 1
      break
    }
    if (VALUED.get(call.name)?.has(arg)) at += 1
    else if (arg.startsWith('-') && call.open[at] !== true) continue
    else if (isAssignment(arg) && (call.name === 'env' || call.name === 'sudo')) continue
    else if (operands > 0) operands -= 1
    else break
  }
  return restOf(call, at) ?? 'none'
}

const isAssignment = (arg: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(arg)
