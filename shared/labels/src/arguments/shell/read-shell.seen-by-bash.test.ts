import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdtempSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'

/** Network commands; stubs record that they ran. */
const STUBS = ['curl', 'wget', 'nc', 'ssh', 'scp', 'mail', 'telnet']
/** System commands that the samples need. */
const NEEDED = [
  'cat',
  'env',
  'xargs',
  'find',
  'sed',
  'awk',
  'tr',
  'timeout',
  'nohup',
  'nice',
  'sort',
  'bash',
  'sh',
  'rev',
  'touch',
  'chmod',
  'mkdir',
  'ls',
]
const RUN_MS_MAX = 2_000
const SAMPLES = 200

const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path))
const home = mkdtempSync(join(tmpdir(), 'plimsoll-bash-'))
const bin = join(home, 'bin')
const log = join(home, 'log')
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

function prepare(): void {
  mkdirSync(bin)
  for (const name of STUBS) {
    writeFileSync(join(bin, name), `#!${bash ?? ''}\necho ${name} >> ${log}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  for (const name of NEEDED)
    for (const folder of ['/bin', '/usr/bin'])
      if (existsSync(join(folder, name)) && !existsSync(join(bin, name)))
        symlinkSync(join(folder, name), join(bin, name))
}

/** Ends background processes of a command line, so that they cannot write to a later log. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The stubs that a command line ran, in an empty folder with only the stubs on its path. */
async function ranBy(command: string): Promise<string[]> {
  writeFileSync(log, '')
  const work = mkdtempSync(join(home, 'work-'))
  const child = spawn(bash ?? '', ['--norc', '--noprofile', '-c', command], {
    cwd: work,
    detached: true,
    // FUNCNEST stops functions that call themselves from a substitution.
    env: { PATH: bin, HOME: work, LC_ALL: 'C', FUNCNEST: '4' },
    timeout: RUN_MS_MAX,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await once(child, 'exit')
  endGroup(child.pid)
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((name) => name !== '')
}

const readingOf = (command: string): string => {
  const { labels, signals } = labelStep('bash', { command }, SHELL, undefined)
  return signals['complete'] === 1 ? labels.capability : 'not understood'
}

/** A seeded generator of integers below `n`. */
function createRandom(seed: number): (n: number) => number {
  let state = seed >>> 0 || 1
  return (n) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % n
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Ways to write a command that hide it from a careless reader. */
const DISGUISES: readonly ((command: string, name: string) => string)[] = [
  (c) => c,
  (c) => `true && ${c}`,
  (c) => `false || { ${c}; }`,
  (c) => `( ${c} ) 2> err`,
  (c) => `x=$(${c})`,
  (c) => `echo "$(${c})"`,
  (c) => `echo \`${c}\``,
  (c) => `cat <(${c})`,
  (c) => `f() { ${c}; }; f`,
  (c) => `ls() { ${c}; }; ls`,
  (c, n) => `${n}() { command ${c}; }; ${n} a`,
  (c) => `command ${c}`,
  (c) => `command -p -- true; command -- ${c}`,
  (c) => `exec ${c}`,
  (c) => `builtin command ${c}`,
  (c) => `eval ${quoted(c)}`,
  (c) => `bash -c ${quoted(c)}`,
  (c) => `bash -ec -- ${quoted(c)}`,
  (c) => `sh -c -u ${quoted(c)} name`,
  (c) => `bash <<'E'\n${c}\nE`,
  (c) => `bash <<< ${quoted(c)}`,
  (c) => `echo ${quoted(c)} | bash`,
  (c) => `echo ${quoted(Array.from(c).toReversed().join(''))} | rev | sh`,
  (c) => `printf %s ${quoted(c)} > s.sh; source ./s.sh`,
  (c) => `echo ${quoted(c)} > ls.txt; . ./ls.txt`,
  (c) => `trap ${quoted(c)} EXIT`,
  (c) => `trap ${quoted(c)} DEBUG; :`,
  (c) => `PS4='$(${c})'; set -x; :`,
  (c) => `PROMPT_COMMAND=${quoted(c)} bash -ic : `,
  (c) => `echo ${quoted(c)} > e; BASH_ENV=./e bash -c :`,
  (c) => `env -S ${quoted(c)}`,
  (c) => `env A=1 -u B ${c}`,
  (_, n) => `hash -p "$(type -p ${n})" ls; ls a`,
  (_, n) => `BASH_CMDS[ls]=$(type -p ${n}); ls`,
  (c) => `shopt -s expand_aliases\nalias ls=${quoted(c)}\nls`,
  (c) => `mapfile -c 1 -C ${quoted(`${c} #`)} a <<< 'x'`,
  (c) => `a['$(${c})']=1`,
  (c) => `declare -a a; a[$(${c})0]=1`,
  (c) => `x='a[$(${c})]'; (( x ))`,
  (c) => `(( a['$(${c})'] ))`,
  (c) => `echo "\${a['$(${c})']}"`,
  (c) => `y=abc; echo "\${y:'a[$(${c})]'}"`,
  (c) => `declare 'a[$(${c})]=1'`,
  (c) => `read 'a[$(${c})]' <<< 1`,
  (c) => `a=(['$(${c})']=1)`,
  (c) => `x='a[$(${c})]'; [[ $x -eq 0 ]]`,
  (c) => `[ -v 'a[$(${c})]' ]`,
  (c) => `printf -v 'a[$(${c})]' x`,
  (c) => `unset 'a[$(${c})]'`,
  (c) => `let 'a[$(${c})]=1'`,
  (c) => `x='$(${c})'; echo "\${x@P}"`,
  (c) => `x='a[$(${c})]'; echo "\${!x}"`,
  (c) => `echo $(( $(${c}) + 1 ))`,
  (c) => `echo "\${x:-$(${c})}"`,
  (c) => `for i in 1; do ${c}; done`,
  (c) => `case a in a) ${c} ;; esac`,
  (c) => `case $(${c}) in *) ;; esac`,
  (c) => `if ${c}; then :; fi`,
  (c) => `while ${c}; do break; done`,
  (c) => `select i in a; do ${c}; done <<< 1`,
  (c) => `coproc ${c}; wait`,
  (c) => `{ ${c}; } &\nwait`,
  (c) => `! ${c}`,
  (c) => `time ${c}`,
  (c) => `nohup nice -n 5 ${c}`,
  (c) => `timeout -k 1 2 ${c}`,
  (c) => `env --unset ls ${c}`,
  (c) => `echo a | xargs ${c}`,
  (c) => `echo a | xargs -I% sh -c ${quoted(`${c} %`)}`,
  (c) => `touch f; find . -name f -exec ${c} {} ';'`,
  (c) => `touch f; find . -name f -exec sh -c ${quoted(c)} ';'`,
  (c) => `echo a | sed ${quoted(`1e ${c}`)}`,
  (c) => `echo a | sed -n ${quoted(`s/a/${c.split(' ')[0] ?? ''}/e`)}`,
  (c) => `awk 'BEGIN { system("${c}") }'`,
  (c) => `awk 'BEGIN { print "x" | "${c}" }'`,
  (c) => `awk 'BEGIN { "${c}" | getline x }'`,
  (c, n) => c.replace(n, `c=${n}; $c`),
  (c, n) => c.replace(n, `${n.slice(0, 1)}""${n.slice(1)}`),
  (c, n) => c.replace(n, `${n.slice(0, 1)}\\${n.slice(1)}`),
  (c, n) => c.replace(n, `$'\\x${n.charCodeAt(0).toString(16)}'${n.slice(1)}`),
  (c, n) => c.replace(n, `${n.slice(0, 1)}\\\n${n.slice(1)}`),
  (c, n) => c.replace(n, `${bin}/${n.slice(0, -1)}?`),
  (c, n) => c.replace(n, `${bin}/[${n.slice(0, 1)}]${n.slice(1)}`),
  (_, n) => `{${n},a}`,
  (c, n) => c.replace(n, '"$(echo ' + n + ')"'),
  (c, n) => c.replace(n, `\${x:-${n}}`),
  (c) => `cat <<E\n$(${c})\nE`,
  (c) => `: > "$(${c})x"`,
  (c) => `x=1 y=$(${c}) :`,
  (c) => `a=(1 $(${c}))`,
  (c) => `[[ -n $(${c}) ]]`,
  (c) => `printf '%s\\n' ${quoted(c)} > run; chmod +x run; bash ./run`,
  (c) => `export -f ls 2> err; ls() { ${c}; }; export -f ls; bash -c ls`,
  (c) => `set -- ${c}; "$@"`,
  (c) => `IFS=,; x=${quoted(c.replaceAll(' ', ','))}; $x`,
  (c) => `exec 3<<< ${quoted(c)}; bash /dev/fd/3`,
  (c) => `enable -n echo; ${c}`,
  (c) => `{ ${c}; } > /dev/null 2>&1 < /dev/null`,
]

test(
  'the reader sees every command that a real bash ran, or does not understand the line',
  { skip: bash === undefined && 'there is no bash' },
  async () => {
    prepare()
    const random = createRandom(20261122)
    const missed: string[] = []
    let ran = 0
    for (let i = 0; i < SAMPLES; i += 1) {
      const name = STUBS[random(STUBS.length)] ?? 'curl'
      const first = DISGUISES[i % DISGUISES.length]
      const second = i < DISGUISES.length ? undefined : DISGUISES[random(DISGUISES.length)]
      const inner = second ? second(`${name} a`, name) : `${name} a`
      const command = first?.(inner, name) ?? ''
      const found = await ranBy(command)
      if (found.length > 0) ran += 1
      const reading = readingOf(command)
      if (found.length > 0 && reading !== 'network' && reading !== 'not understood')
        missed.push(`${reading}: ${command}`)
    }
    assert.deepEqual(missed, [])
    assert.ok(ran > SAMPLES / 2, `${ran} of ${SAMPLES} ran anything`)
  },
)
