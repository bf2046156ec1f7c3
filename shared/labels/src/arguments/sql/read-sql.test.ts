import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from '../label-step.js'
import { SQL, formatLabels } from '../samples.js'

const read = (query: string): string => formatLabels(labelStep('sql_query', { query }, SQL, undefined).labels)

const ROWS = 'read internal untrusted reversible'
const WRITES = 'write internal untrusted partial'
const DESTROYS = 'write internal untrusted irreversible'
const RUNS = 'execute internal untrusted partial'
/** The call does not show what a procedure or a block does. */
const HIDDEN = 'execute internal untrusted irreversible'
const WORST = 'network internal untrusted irreversible'

const check = (rows: readonly [string, string][]): void =>
  assert.deepEqual(
    rows.map(([query]) => [query, read(query)]),
    rows,
  )

test('queries only read', () => {
  check([
    ['SELECT 1', ROWS],
    ['select * from t where a = 1;', ROWS],
    ['(SELECT a FROM t) UNION (SELECT b FROM u)', ROWS],
    ['SELECT t.name, COUNT(*) FROM t JOIN u ON u.id = t.id GROUP BY 1 HAVING COUNT(*) > 2', ROWS],
    ['WITH a AS (SELECT 1) SELECT * FROM a', ROWS],
    ['SHOW TABLES', ROWS],
    ['DESCRIBE t', ROWS],
    ['DESC t; SELECT * FROM t', ROWS],
    ['EXPLAIN SELECT * FROM t', ROWS],
    ["SELECT 'DROP TABLE t; DELETE FROM t'", ROWS],
    ['SELECT "delete" FROM `update`', ROWS],
    ['SELECT 1 -- drop table t', ROWS],
    ['/* drop table t */ SELECT 1', ROWS],
    ["SELECT REPLACE(name, 'a', 'b') FROM t", ROWS],
    ['SELECT TRUNCATE(1.23, 1), INSERT(a, 1, 1, b) FROM t', ROWS],
    ['SELECT * FROM t FOR UPDATE', ROWS],
    ['SELECT * FROM t FOR NO KEY UPDATE', ROWS],
    ['SELECT updated_at, deleted, created FROM t', ROWS],
    ['BEGIN; SELECT 1; COMMIT', ROWS],
    ['PRAGMA table_info(t)', ROWS],
  ])
})

test('statements that write, delete or run', () => {
  check([
    ['INSERT INTO t VALUES (1)', WRITES],
    ["UPDATE t SET a = 'x' WHERE id = 1", WRITES],
    [
      "INSERT INTO mail_queue (to_addr, body) VALUES ('a@b.example', 'x')",
      'network internal untrusted partial',
    ],
    ["INSERT INTO app.outbox VALUES ('x')", 'network internal untrusted partial'],
    ["INSERT INTO emails VALUES ('x')", WRITES],
    ['UPDATE t SET a = 1', DESTROYS],
    ['DELETE FROM t WHERE id = 1', DESTROYS],
    ['DELETE FROM t', DESTROYS],
    ['DROP TABLE t', DESTROYS],
    ['TRUNCATE TABLE t', DESTROYS],
    ['CREATE TABLE t (a int)', WRITES],
    ['ALTER TABLE t ADD b int', WRITES],
    ['CREATE TABLE t (a int REFERENCES u ON DELETE CASCADE)', WRITES],
    ['GRANT ALL ON t TO bob', DESTROYS],
    ['REPLACE INTO t VALUES (1)', WRITES],
    ['SELECT * INTO u FROM t', WRITES],
    ["SELECT * FROM t INTO OUTFILE '/x'", RUNS],
    ['PRAGMA writable_schema = 1', WRITES],
    ['SELECT 1; DROP TABLE t', DESTROYS],
    ['SELECT 1 DROP TABLE t', DESTROYS],
    ['select 1;\n\n  -- x\n drop/**/table t', DESTROYS],
    ['WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a', DESTROYS],
    ['WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a', WRITES],
    ['EXPLAIN ANALYZE DELETE FROM t WHERE id = 1', DESTROYS],
    ['CALL p()', HIDDEN],
    ["EXEC('x')", HIDDEN],
    ['DO $$ BEGIN PERFORM 1; END $$', HIDDEN],
    ["LOAD DATA INFILE 'x' INTO TABLE t", RUNS],
    ["COPY t TO PROGRAM 'sh'", WORST],
    ["EXEC xp_cmdshell 'dir'", WORST],
    ["SELECT * FROM dblink('host=x', 'SELECT 1')", WORST],
  ])
})

test('names of tables, columns and files raise confidentiality', () => {
  const rows: [string, string][] = [
    ['SELECT * FROM orders', 'internal'],
    ['SELECT password_hash FROM users', 'credentials'],
    ['SELECT "password" FROM users', 'credentials'],
    ['SELECT * FROM pg_shadow', 'credentials'],
    ['SELECT name, salary FROM staff', 'sensitive'],
    ["SELECT load_file('/etc/passwd')", 'sensitive'],
    ["SELECT pg_read_file ('x')", 'sensitive'],
  ]
  assert.deepEqual(
    rows.map(([query]) => [query, labelStep('sql_query', { query }, SQL, undefined).labels.confidentiality]),
    rows,
  )
})

test('if dialects read a text differently, the worse reading counts', () => {
  check([
    ["SELECT '\\'; DROP TABLE t; --'", DESTROYS],
    ["SELECT 1 # ' \n; DROP TABLE t; -- '", DESTROYS],
    ["SELECT 1 --' \n; DROP TABLE t; -- '", DESTROYS],
    ['SELECT 1 /*! ; DROP TABLE t */', DESTROYS],
    ['/* /* */ DROP TABLE t -- */', DESTROYS],
    ['SELECT $$x$$; DROP TABLE t', DESTROYS],
    ["SELECT 'open; DROP TABLE t", DESTROYS],
  ])
})

test('text that is no SQL gets the worst labels', () => {
  check([
    ['please show me all tables', WORST],
    ['```sql\nSELECT 1\n```', WORST],
    ["'", WORST],
    ['1'.repeat(300_000), WORST],
    ['nonsense '.repeat(1000), WORST],
  ])
  assert.equal(read(`INSERT INTO t VALUES ${"('a;b'),".repeat(2000)}('c')`), WRITES)
})

test('a query tool reads possible statements as SQL and ignores plain words', () => {
  const ASKS: CatalogueEntry = {
    tools: ['query'],
    labels: { capability: 'read', reversibility: 'reversible' },
  }
  const capability = (args: Readonly<Record<string, unknown>>): string =>
    labelStep('query', args, ASKS, undefined).labels.capability
  for (const query of [
    "select public.f('a')",
    'select a."f" (1)',
    '/* a */ (select f(1))',
    '-- a\nselect f(1)',
    'call f()',
    'exec dbo.f',
    'do $$ begin perform f() end $$',
    'create or replace function f() returns int',
    'with recursive a as (select f(1)) select * from a',
    "load data infile 'a' into table t",
  ])
    for (const name of ['query', 'q', 'sql']) assert.notEqual(capability({ [name]: query }), 'read', query)
  for (const query of [
    'select 1',
    'select a from t',
    'create a report',
    'call me',
    'weather in Bern',
    'copy',
  ])
    assert.equal(capability({ query }), 'read', query)
})

test('a condition that every row meets is none', () => {
  const doesDelete = (query: string) =>
    labelStep('sql_query', { query }, SQL, undefined).signals.doesDelete ?? 0
  for (const query of [
    'UPDATE a SET b = 1 WHERE true',
    'UPDATE a SET b = 1 WHERE (1=1);',
    'UPDATE ONLY a SET b = 1',
  ])
    assert.equal(doesDelete(query), 1, query)
  for (const query of [
    'UPDATE a SET b = 1 WHERE id = 1',
    'SELECT a FROM b WHERE 1=1',
    'UPDATE a SET b = 1 WHERE truth',
  ])
    assert.equal(doesDelete(query), 0, query)
})

test('a new password of an account is a credential, more rights are an access', () => {
  const acts = (query: string) => {
    const { signals } = labelStep('sql_query', { query }, SQL, undefined)
    return [signals['doesCredential'] === 1, signals['doesGrant'] === 1]
  }
  assert.deepEqual(acts("ALTER ROLE a PASSWORD 'x'"), [true, false])
  assert.deepEqual(acts("ALTER USER a IDENTIFIED BY 'x'"), [true, false])
  assert.deepEqual(acts("ALTER ROLE a PASSWORD 'x' SUPERUSER"), [true, true])
  assert.deepEqual(acts('ALTER ROLE a SUPERUSER'), [false, true])
  assert.deepEqual(acts("CREATE USER a PASSWORD 'x'"), [false, true])
})

test('the rows that have one value are named by it', () => {
  const names = (query: string) =>
    labelStep('sql_query', { query }, SQL, undefined).objects.flatMap((object) => object.names)
  for (const [query, name] of [
    ['DELETE FROM orders WHERE id = 5512', '5512'],
    ['delete from "orders" where orders.order_id=5512;', '5512'],
    ["DELETE FROM people WHERE email = 'kim@example.org'", 'kim@example.org'],
  ] as const)
    assert.ok(names(query).includes(name), query)
  for (const query of [
    'DELETE FROM orders WHERE id > 5512',
    'DELETE FROM orders WHERE id = 5512 OR 1 = 1',
    'DELETE FROM orders WHERE total = 5512',
  ])
    assert.ok(!names(query).includes('5512'), query)
})

test('each of several deletions is named by its own record', () => {
  const query = 'BEGIN; DELETE FROM orders WHERE id = 5512; DELETE FROM people WHERE id < 9; COMMIT'
  const { objects } = labelStep('sql_query', { query }, SQL, undefined)
  assert.deepEqual(
    objects.map(({ thing, names }) => [thing, names.includes('5512')]),
    [
      ['orders', true],
      ['people', false],
    ],
  )
})

test('what a table of secrets holds is shown in messages', () => {
  const sends = (query: string): boolean =>
    labelStep('sql_query', { query }, SQL, undefined).signals.doesSend === 1
  for (const query of [
    'INSERT INTO comments (issue, body) SELECT 4, token FROM deploy_tokens LIMIT 1',
    "insert into public.chat_messages select 1, string_agg(api_key, ',') from vendors",
    'INSERT INTO ticket_notes(body) WITH s AS (SELECT password FROM staff) SELECT password FROM s',
  ])
    assert.ok(sends(query), query)
  for (const query of [
    "INSERT INTO comments (issue, body) SELECT id, 'thanks' FROM issues",
    'INSERT INTO deploy_tokens_old SELECT * FROM deploy_tokens',
    "INSERT INTO comments (issue, body) VALUES (4, 'the token has expired')",
    'SELECT token FROM deploy_tokens',
  ])
    assert.ok(!sends(query), query)
})

test('a password that is set gives access', () => {
  const read = (query: string) => labelStep('sql_query', { query }, SQL, undefined)
  for (const query of [
    "UPDATE users SET password_hash = 'x' WHERE id = 118",
    'update app.accounts set name = 1, encrypted_password = $1 where email = $2',
  ])
    assert.equal(read(query).signals.doesCredential, 1, query)
  const [password] = read("UPDATE users SET password = 'x' WHERE id = 118").objects
  assert.ok(password?.names.includes('118') && password.kind === 'account')
  for (const query of [
    'UPDATE users SET password_changed_at = now() WHERE id = 118',
    'SELECT password FROM users WHERE id = 118',
  ])
    assert.equal(read(query).signals.doesCredential, undefined, query)
})
