import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEffects } from '../effects.js'
import { readOtherQuery } from './other-queries.js'

function read(text: string) {
  const effects = createEffects()
  readOtherQuery(text, effects)
  return effects
}

test('queries of other languages that take away', () => {
  for (const text of [
    'mutation { deleteUser(id: 5) { id } }',
    'mutation Tidy($id: ID!) { gone: removeTeam(id: $id) { id } }',
    '{"delete": "users", "deletes": [{"q": {}, "limit": 0}]}',
    'db.users.deleteMany({})',
    'g.V().drop()',
    'POST users/_delete_by_query {"query": {"match_all": {}}}',
    'DELETE /orders',
    'DELETE WHERE { ?s ?p ?o }',
    'PREFIX a: <b>\nDROP GRAPH <g>',
    'MATCH (n) DETACH DELETE n',
    'FLUSHALL',
  ])
    assert.equal(read(text).signals.doesDelete, 1, text)
})

test('other queries take nothing away', () => {
  for (const text of [
    'query { user(id: 5) { name deletedAt } }',
    'mutation { addComment(text: "a") { id } }',
    '{"find": "users", "filter": {}}',
    'g.V().count()',
    'GET users/_search',
    'SELECT ?s WHERE { ?s ?p ?o }',
    'MATCH (n) RETURN n',
    'GET key',
    'SELECT * FROM orders',
  ])
    assert.equal(read(text).signals.doesDelete, undefined, text)
})

test('a mutation writes', () => {
  assert.equal(read('mutation { addComment(text: "a") { id } }').capability, 1)
})
