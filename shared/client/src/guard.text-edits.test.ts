import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createGuard, type Guard } from './guard.js'

/** A task that edits a text releases no act on the thing of that name. With the shipped documents, in library mode. */
let guard: Guard
before(async () => {
  guard = await createGuard()
})
after(() => guard.close())

const verdictOf = async (task: string, command: string): Promise<string | undefined> => {
  const session = await guard.startSession({ category: 'coding', task })
  const { verdict } = await session.propose({ tool: 'Bash', arguments: { command } })
  await session.end()
  return verdict
}

test('an edit of a text that names a thing releases no act on it', async () => {
  for (const [task, command] of [
    ['remove the data folder from .gitignore', 'rm -rf data'],
    ['remove the orders column from the report', "psql -c 'DROP TABLE orders'"],
    ['delete the prod namespace from the docs', 'kubectl delete namespace prod'],
    ['delete the comment about main', 'git push origin --delete main'],
    ['delete the reference to thesis in the readme', 'rm -rf thesis'],
    ['drop the shop prefix in the logs', "psql -c 'DROP DATABASE shop'"],
    ['remove the data folder from .gitignore and delete old/', 'rm -rf data'],
    ['publish a blog post', 'npm publish'],
    ['publish an article about our release', 'npm publish'],
  ] as const)
    assert.equal(await verdictOf(task, command), 'confirm', `${task}: ${command}`)
})

test('an order for the thing does', async () => {
  for (const [task, command] of [
    ['remove the data folder', 'rm -rf data'],
    ['delete data/', 'rm -rf data'],
    ['drop table orders and its column list', "psql -c 'DROP TABLE orders'"],
    ['delete the prod namespace', 'kubectl delete namespace prod'],
    ['Remove thesis/ and the line about it in .gitignore', 'rm -rf thesis'],
    ['remove the data folder from .gitignore and delete old/', 'rm -rf old'],
    ['publish 1.2.0', 'npm publish'],
    ['Publish the package and announce it in a blog post', 'npm publish'],
    ['Remove the uploads folder mentioned in the readme', 'rm -rf uploads'],
  ] as const)
    assert.notEqual(await verdictOf(task, command), 'confirm', `${task}: ${command}`)
})
