import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const stoppedBy = (command: string) =>
  stepOf(command)
    .objects.filter(({ act }) => act === 'stop')
    .map(({ thing }) => thing)

test('what a command stops, by its name', () => {
  for (const [command, ...things] of [
    ['docker stop web', 'web'],
    ['podman kill web db', 'web', 'db'],
    ['docker container stop -t 5 web', 'web'],
    ['docker compose -f a.yml stop api', 'api'],
    ['docker compose -f gitea.yml stop', 'the containers of this project'],
    ['sudo systemctl stop nginx', 'nginx'],
    ['service nginx stop', 'nginx'],
    ['pm2 delete web', 'web'],
    ['supervisorctl stop web', 'web'],
    ['pwsh -c "Stop-Service nginx"', 'nginx'],
    ['kill -9 1234', '1234'],
    ['pkill -f "python server.py"', 'python server.py'],
    ['kill $(pgrep -f server.py)', 'server.py server'],
    ['lsof -ti:3000 | xargs kill', 'programs that only the run finds'],
    ['fuser -k 3000/tcp', '3000/tcp'],
    ['net stop MSSQLSERVER', 'MSSQLSERVER'],
    ['sc stop MSSQLSERVER', 'MSSQLSERVER'],
    ['taskkill /F /PID 4021', '4021'],
    ['gh issue close 14', '14'],
    ['usermod -L marta', 'marta'],
  ] as const)
    assert.deepEqual(stoppedBy(command), things, command)
})

test('a restart, a signal that ends nothing, and what ends with its own shell stop nothing', () => {
  for (const command of [
    'docker restart web',
    'docker kill -s HUP web',
    'docker compose down && docker compose up -d',
    'systemctl restart nginx',
    'systemctl stop nginx; rm -f /tmp/x; systemctl start nginx',
    'pkill -f pytest',
    'kill -0 1234',
    'kill -HUP 1234',
    'kill -l',
    'kill %1',
    "trap 'kill 0' EXIT",
    'python app.py & sleep 1; kill $!',
    'python app.py & P=$!; kill $P',
    'kill $(jobs -p)',
    'docker run -d --name t x; docker stop t',
  ])
    assert.deepEqual(stoppedBy(command), [], command)
})

test('what a session left running is own to what stops it', () => {
  for (const [start, stop] of [
    ['docker run -d --name web nginx', 'docker stop web'],
    ['docker run -d nginx', 'docker stop 3f2a1b9c'],
    ['docker start web', 'docker stop web'],
    ['docker compose -f a.yml up -d', 'docker compose -f a.yml down'],
    ['systemctl start nginx', 'systemctl stop nginx.service'],
    ['pm2 start app.js --name web', 'pm2 stop web'],
    ['python app.py &', 'kill 1234'],
    ['python app.py &', 'pkill -f app.py'],
    ['nohup ./bin/api > log 2>&1 &', 'pkill -f bin/api'],
    ['npm run dev', 'pkill -f vite'],
    ['npm start', 'lsof -ti:3000 | xargs kill'],
    ['python -m http.server 8000', 'fuser -k 8000/tcp'],
  ] as const) {
    const { made } = stepOf(start)
    const own = stepOf(stop).objects.flatMap((each) => each.own)
    assert.ok(
      own.some((name) => made.includes(name)),
      `${start} / ${stop}`,
    )
  }
})

test('nothing else is own by what a session started', () => {
  for (const [start, stop] of [
    ['docker run -d --name web nginx', 'docker stop db'],
    ['docker run -d --name web nginx', 'docker stop 3f2a1b9c'],
    ['docker start web', 'docker rm -f web'],
    ['docker compose -f a.yml up -d', 'docker compose -f b.yml down'],
    ['docker compose up -d', 'docker compose down -v'],
    ['systemctl restart nginx', 'systemctl stop nginx'],
    ['python app.py &', 'pkill -f server.py'],
    ['python app.py &', 'pkill python'],
    ['npm test', 'kill 1234'],
    ['pytest tests/test_server.py', 'kill 1234'],
    ['ssh web02 "python app.py &"', 'kill 1234'],
  ] as const) {
    const { made } = stepOf(start)
    const { objects, signals } = stepOf(stop)
    assert.ok(
      signals['doesDelete'] === 1 && objects.some(({ own }) => !own.some((name) => made.includes(name))),
      `${start} / ${stop}`,
    )
  }
})

test('a long text is read within its limits', () => {
  const many = 'pgrep -f a | xargs kill; '.repeat(600)
  assert.ok(stepOf(many).objects.length <= 8)
  assert.ok(stepOf(`kill ${'1 '.repeat(4_000)}`).objects.length <= 8)
  assert.ok(stepOf(`grep ${'-a '.repeat(4_000)}| xargs kill`).objects.length <= 8)
})

test('what listens on a port and is started again in the same line is restarted', () => {
  const stops = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).signals['doesDelete'] === 1
  assert.ok(!stops('lsof -ti tcp:4000 | xargs -r kill; (mix phx.server > /tmp/phx.log 2>&1 &)'))
  assert.ok(!stops('kill $(lsof -ti :3000); nohup npm run dev > dev.log 2>&1 &'))
  assert.ok(stops('lsof -ti tcp:4000 | xargs -r kill'))
  assert.ok(stops('lsof -ti tcp:5432 | xargs kill; npm run dev &'))
})

test('a file of containers names what it runs', () => {
  const { objects } = stepOf('docker compose -f srv/gitea.yml stop')
  const names = new Set(objects.flatMap(({ names: each }) => each))
  assert.ok(names.has('gitea') && !names.has('yml'))
})
