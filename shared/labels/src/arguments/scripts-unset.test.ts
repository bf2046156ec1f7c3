import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deletesBelowUnset } from './scripts-unset.js'

test('a deletion below a variable that nobody sets begins at the root', () => {
  for (const script of [
    'rm -rf $OUT/*',
    '. ./env\nrm -rf "$OUT"/old',
    'rm -r -f "${OUT}/$name"',
    'OUT=""\nrm -rf $OUT/x',
  ])
    assert.ok(deletesBelowUnset(script), script)
  for (const script of [
    'OUT=/srv/out\nrm -rf $OUT/*',
    'set -euo pipefail\nrm -rf $OUT/*',
    ': "${OUT:?}"\nrm -rf $OUT/*',
    '[ -n "$OUT" ] || exit 1\nrm -rf $OUT/*',
    'for OUT in a b; do rm -rf $OUT/x; done',
    'rm -rf "$HOME/.cache/x"',
    'rm -rf "$1"/x',
    'rm -f $OUT/a.log',
    'rm -rf build/$OUT',
  ])
    assert.ok(!deletesBelowUnset(script), script)
})
