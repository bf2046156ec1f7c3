/** `npm run release [-- --dry-run]`: checks, packs and publishes the packages; with `--dry-run` all but the last. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pack } from './pack.mjs'
import { releaseProblems } from './packages/release-problems.mjs'
import { manifests, readManifest } from './packages/workspace.mjs'
import { npm, prepare, root } from './prepare.mjs'

const args = process.argv.slice(2)
const isDryRun = args[0] === '--dry-run'
if (args.length > (isDryRun ? 1 : 0)) {
  process.stderr.write('usage: npm run release [-- --dry-run]\n')
  process.exit(2)
}

await prepare()
const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-release-'))
try {
  process.exitCode = await release(folder)
} finally {
  rmSync(folder, { recursive: true })
}

async function release(folder) {
  const problems = releaseProblems({
    status: git('status', '--porcelain'),
    tags: git('tag', '--list').split('\n'),
    changelog: readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'),
    project: readManifest('.'),
    manifests,
  })
  const tarballs = await pack(folder)
  const user = isDryRun ? undefined : run('whoami').stdout.trim()
  for (const { name } of tarballs) problems.push(...ownerProblems(name, user))
  // All or nothing: a package that cannot be published would leave the others without it.
  for (const { name, file } of tarballs)
    if (!publish(file, '--dry-run')) problems.push(`\`npm publish --dry-run\` refuses ${name}`)
  for (const problem of problems) say(problem)
  if (problems.length > 0) return 1
  if (isDryRun) {
    say('nothing is in the way of the release')
    return 0
  }
  for (const { name, file } of tarballs)
    if (!publish(file)) {
      say(`${name} was not published: mend it, and publish it and those after it by hand`)
      return 1
    }
  say(`published; now: git tag v${readManifest('.').version} && git push --tags`)
  return 0
}

function publish(file, ...more) {
  const [command, line] = npm('publish', file, '--loglevel=notice', ...more)
  return spawnSync(command, line, { cwd: root, stdio: 'inherit' }).status === 0
}

/** Says whose the name is; a name that nobody has is free, so it belongs to those who publish it. */
function ownerProblems(name, user) {
  const { status, stdout, stderr } = run('owner', 'ls', name)
  if (status !== 0 && !stderr.includes('E404'))
    return [`the registry says nothing of \`${name}\`: ${stderr.trim()}`]
  const owners =
    status === 0
      ? stdout
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0])
      : undefined
  say(
    owners === undefined ? `${name}: the name is free` : `${name}: the name belongs to ${owners.join(', ')}`,
  )
  if (isDryRun || owners === undefined || owners.includes(user)) return []
  return [`\`${name}\` belongs to ${owners.join(', ')}, and you are ${user === '' ? 'not logged in' : user}`]
}

function run(...line) {
  const [command, whole] = npm(...line)
  return spawnSync(command, whole, { cwd: root, encoding: 'utf8' })
}

function git(...line) {
  return execFileSync('git', line, { cwd: root, encoding: 'utf8' })
}

function say(line) {
  process.stderr.write(`release: ${line}\n`)
}
