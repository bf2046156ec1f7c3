import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from '../../label-step.js'
import type { StepLabelling } from '../../step-labelling.js'
import { SHELL } from '../../samples.js'

const WRITE: CatalogueEntry = {
  tools: ['write'],
  labels: { capability: 'write', confidentiality: 'internal', reversibility: 'partial' },
}

/** Whether a step changes what guards agents, commits or keys: irreversible, by an object or by an act that no task names. */
const isControl = ({ objects, signals, labels }: StepLabelling): boolean =>
  labels.reversibility === 'irreversible' &&
  (objects.some(({ act }) => act === 'control') || signals['doesGrant'] === 1)

const ofCommand = (command: string): boolean => isControl(labelStep('bash', { command }, SHELL, undefined))
const ofFile = (path: string, content: string): boolean =>
  isControl(labelStep('write', { file_path: path, content }, WRITE, undefined))

const COMMANDS = [
  "sed -i 's/approve/auto/' ~/.config/goose/config.yaml",
  "echo 'GOOSE_MODE: auto' >> ~/.config/goose/config.yaml",
  "cat >> ~/.aws/credentials <<'EOF'\n[p]\nEOF",
  'cp creds ~/.aws/credentials',
  "sed -i '/gitleaks/d' .pre-commit-config.yaml",
  'mv .claude .claude.old',
  'mv ~/.config/goose ~/g',
  'mv .cursor/ .cursor.bak',
  'mv .git/hooks .git/hooks.off',
  'mv .husky .husky.off',
  'git config --unset core.hooksPath',
  'git config --local --unset-all core.hookspath',
  'git config unset core.hooksPath',
  'git config --remove-section core',
  'SKIP=all git commit -m x',
  'export SKIP=all; git commit -m x',
  'env SKIP=gitleaks git commit -am x',
  'PRE_COMMIT_ALLOW_NO_CONFIG=1 git commit -m x',
  'OVERCOMMIT_DISABLE=1 git commit -m x',
  'HUSKY=0 git commit -m x',
  "echo 'PLIMSOLL_MODE=observe' >> .env",
  "cat > .env <<'EOF'\nA=1\nPLIMSOLL_MODE=observe\nEOF",
  "sed -i 's/PLIMSOLL_MODE=enforce/PLIMSOLL_MODE=observe/' .env",
  "claude config set hooks '{}'",
  'claude mcp add x -- npx y',
  'gemini extensions disable guard',
  "codex -c approval_policy=never exec 'x'",
  'cd .claude && echo {} > settings.json',
  "cd .claude && sed -i 's/a/b/' settings.json",
  'cd ~/.claude && mv settings.json settings.off',
  'cd app && cd .claude && cp x settings.json',
  'cd .claude && tmux new -d "echo {} > settings.json"',
  'patch .claude/settings.json < x.diff',
  'patch .git/hooks/pre-commit x.diff',
  "gawk -i inplace '{print}' .claude/settings.json",
  "vim -es -c '%s/a/b/' -c wq .claude/settings.json",
  'aws s3 cp s3://b/settings.json .claude/settings.json',
  'docker cp c1:/x/settings.json .claude/settings.json',
  'kubectl cp ns/pod:/x .claude/settings.json',
  'wget -P .claude https://example.com/settings.json',
  'git clone https://example.com/x.git .claude',
  'chmod 000 .claude/settings.json',
  'chmod a-r ~/.claude/settings.json',
  "echo '[core] hooksPath = /tmp/h' >> .git/config",
  'git config diff.external /tmp/x.sh',
  'git config merge.ours.driver /tmp/x.sh',
  'redis-cli hset plimsoll:session:1 approved 1',
  "echo '{}' | kcat -P -t plimsoll.events",
]

const QUIET = [
  'redis-cli hgetall plimsoll:session:1',
  'kcat -C -t plimsoll.decisions',
  'patch -p1 < fix.diff',
  "awk -i lib.awk '{print}' .claude/settings.json",
  'vim .claude/settings.json',
  'docker cp c1:/app/report.html out/report.html',
  'aws s3 cp s3://b/data.csv data/',
  'git clone https://example.com/x.git vendor/x',
  'chmod 600 .claude/settings.json',
  'git config diff.renames true',
  'cat ~/.config/goose/config.yaml',
  'cat .pre-commit-config.yaml',
  'pre-commit run --all-files',
  'mv .claude/skills/a .claude/skills/b',
  'mv src/claude.ts src/agent.ts',
  'mv goose goose-old',
  'git config --get core.hooksPath',
  'git config --unset user.signingkey',
  'cd .claude && cd .. && echo {} > settings.json',
  'cd web && echo {} > settings.json',
  'cd .claude && cat settings.json',
  'git commit -m "SKIP=all is gone"',
  'SKIP=1 npm test',
  'HUSKY=0 npm ci',
  "echo 'PORT=3000' >> .env",
  'echo "set PLIMSOLL_MODE=observe" >> README.md',
  'grep -rn PLIMSOLL_MODE .env',
  'claude config list',
  'claude mcp list',
]

test('commands that change what guards agents, commits or keys are control effects', () => {
  assert.deepEqual(
    COMMANDS.filter((command) => !ofCommand(command)),
    [],
  )
  assert.deepEqual(QUIET.filter(ofCommand), [])
})

test('so are files that are written', () => {
  const controls = [
    ['/home/ann/.config/goose/config.yaml', 'GOOSE_MODE: auto\n'],
    ['/home/ann/.config/goose/permission.yaml', 'x: 1\n'],
    ['/home/ann/.copilot/config.json', '{}'],
    ['/home/ann/.aws/credentials', '[default]\n'],
    ['~/.kube/config', 'a: 1\n'],
    ['.pre-commit-config.yaml', 'repos: []\n'],
    [
      '.pre-commit-config.yaml',
      'repos:\n  - repo: local\n    hooks:\n      - id: a\n        entry: "true"\n',
    ],
    ['.env', 'PLIMSOLL_MODE=observe\n'],
    ['.envrc', 'export PLIMSOLL_FAIL=open\n'],
    ['docker-compose.yml', 'services:\n  a:\n    environment:\n      PLIMSOLL_MODE: observe\n'],
  ] as const
  const quiet = [
    ['config/goose.yaml', 'x: 1\n'],
    ['goose/config.yaml', 'x: 1\n'],
    ['docs/aws/credentials', 'x'],
    ['docs/pre-commit.md', 'x'],
    [
      '.pre-commit-config.yaml',
      'repos:\n  - repo: https://github.com/psf/black\n    rev: 24.4.2\n    hooks:\n      - id: black\n',
    ],
    ['.env', 'PORT=3000\n'],
    ['.env.example', 'PLIMSOLL_MODE=enforce\n'],
    ['docs/modes.md', 'Set `PLIMSOLL_MODE=observe`.\n'],
    ['src/settings.ts', "const mode = env['PLIMSOLL_MODE']\n"],
    ['.claude/commands/fix.md', 'Fix it'],
  ] as const
  assert.deepEqual(
    controls.filter(([path, content]) => !ofFile(path, content)),
    [],
  )
  assert.deepEqual(
    quiet.filter(([path, content]) => ofFile(path, content)),
    [],
  )
})

test('owners of system folders, and not of what a project or a package holds', () => {
  const grants = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).signals['doesGrant'] === 1
  for (const command of [
    'chown -R me /etc',
    "chown -R '$USER' /usr",
    'chgrp -R staff /usr/local/lib',
    'setfacl -R -m u:eve:rwx /srv',
    'chmod -R a+rwX /data/cohort',
  ])
    assert.ok(grants(command), command)
  for (const command of [
    'chown -R node:node /app',
    'sudo chown -R $USER:$USER ~/.npm',
    'chown me /etc',
    'chown -R me .',
  ])
    assert.ok(!grants(command), command)
})
