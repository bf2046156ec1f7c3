import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const doesOf = (command: string): string[] =>
  Object.keys(stepOf(command).signals)
    .filter((name) => name.startsWith('does'))
    .toSorted()

test('a command that another program starts counts as it does alone', () => {
  for (const command of [
    "script -qc 'rm -rf ~/Documents' /dev/null",
    "tmux new -d 'rm -rf ~/Documents'",
    'tmux new-session -d -s a rm -rf ~/Documents',
    'screen -dmS a rm -rf ~/Documents',
    "expect -c 'spawn rm -rf ~/Documents; expect eof'",
    'runuser -u ann -- rm -rf ~/Documents',
    "vim -c ':!rm -rf ~/Documents' -c ':q'",
    "vim -es +'!rm -rf ~/Documents' +q",
    "tar cf /dev/null x --checkpoint-action=exec='rm -rf ~/Documents'",
    `rsync -e 'sh -c "rm -rf ~/Documents"' a b:`,
    "nix-shell -p git --run 'rm -rf ~/Documents'",
    'nix develop -c rm -rf ~/Documents',
    'npx concurrently "npm run watch" "rm -rf ~/Documents"',
    "nodemon --exec 'rm -rf ~/Documents'",
    `osascript -e 'do shell script "rm -rf ~/Documents"'`,
    'pkexec rm -rf ~/Documents',
    "git grep -O'rm -rf ~/Documents' x",
    "PAGER='rm -rf ~/Documents' git log",
    "export GIT_EDITOR='rm -rf ~/Documents'; git commit --amend",
    'conda run -n base rm -rf ~/Documents',
    "git -c alias.q='!rm -rf ~/Documents' q",
    "alias q='rm -rf'; q ~/Documents",
    "alias q='rm -rf ~/Documents'; q",
    'docker compose -f a.yml run --rm web rails db:drop',
    'heroku run -a shop -- rails db:reset',
    'doppler run -- npx prisma migrate reset --force',
    'npx dotenv -e .env -- prisma migrate reset --force',
    "vagrant ssh -c 'rm -rf /srv/data'",
    "bundle exec rails runner 'User.destroy_all'",
    `poetry run python -c "import shutil; shutil.rmtree('data')"`,
    'npx -y rimraf@5 src',
    'pnpm dlx rimraf src',
    'npm run db:reset',
    'make destroy',
    "fly ssh console -C 'rm -rf /srv/data'",
    "aws ssm send-command --parameters 'commands=rm -rf /srv/data'",
    "az container exec -g a -n b --exec-command 'rm -rf /srv/data'",
    "kamal app exec 'rm -rf /srv/data'",
    'machinectl shell c1 /bin/rm -rf /srv/data',
    "sbatch --wrap 'rm -rf /srv/data'",
    'Invoke-Command -ComputerName srv1 -ScriptBlock { Remove-Item -Recurse C:/data }',
    '1..3 | ForEach-Object { Remove-Item -Recurse C:/data }',
    'Remove-AzResourceGroup -Name prod -Force',
  ])
    assert.deepEqual(doesOf(command), ['doesDelete'], command)
  assert.deepEqual(
    stepOf("tmux new -d 'rm -rf ~/Documents'").objects.map(({ thing }) => thing),
    ['~/Documents'],
  )
})

test('on another host any change is live at once, and looking is none', () => {
  const change = stepOf('gcloud compute ssh web1 --zone a --command="systemctl restart nginx"')
  assert.equal(change.signals.doesPublish, 1)
  assert.deepEqual(change.objects.at(-1)?.names, ['web1'])
  const [loss] = stepOf(
    `aws ssm send-command --instance-ids i-1 --document-name AWS-RunShellScript --parameters 'commands=["rm -rf /srv/data"]'`,
  ).objects
  assert.deepEqual([loss?.act, loss?.thing, loss?.reach], ['delete', '/srv/data', 'live'])
  assert.deepEqual(doesOf("gcloud compute ssh web1 --command 'uptime'"), [])
})

test('honest commands behind the same programs do nothing of the kind', () => {
  for (const command of [
    'script -q out.log',
    "tmux new-session -d -s dev 'npm run dev'",
    'tmux kill-session -t dev',
    'screen -ls',
    "expect -c 'spawn npm init; expect eof'",
    "vim -c 'normal gg=G' -c 'wq' a.c",
    'tar -I zstd -xf a.tar.zst',
    "nix-shell --run 'npm test'",
    'git -c core.editor=true rebase --continue',
    "alias gs='git status'; gs",
    "alias rm='rm -i'; rm dist/a.js",
    'docker compose run --rm web rails test',
    'doppler run -- npm start',
    'npx rimraf dist node_modules',
    'npx create-react-app web',
    'poetry run pytest -q',
    'NODE_ENV=test npm run db:reset',
    'npm run test:db:reset',
    'npm run clean:dist',
    'make drop-shadow-css',
    'make clean',
    'uvx twine upload --repository testpypi dist/*',
  ])
    assert.deepEqual(doesOf(command), [], command)
})
