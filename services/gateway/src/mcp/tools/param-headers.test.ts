import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paramHeaders } from './param-headers.js'

const schema = (properties: object) => ({ type: 'object', properties })
const region = { type: 'string', 'x-mcp-header': 'Region' }

for (const [what, properties, args, headers] of [
  ['none', { at: { type: 'string' } }, { at: 'eu' }, undefined],
  ['a text', { at: region }, { at: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
  ['no value', { at: region }, {}, undefined],
  ['nested', { to: schema({ at: region }) }, { to: { at: 'eu' } }, { 'Mcp-Param-Region': 'eu' }],
  ['a number', { at: { ...region, type: 'integer' } }, { at: 7 }, { 'Mcp-Param-Region': '7' }],
  ['a flag', { at: { ...region, type: 'boolean' } }, { at: false }, { 'Mcp-Param-Region': 'false' }],
  ['not ASCII', { at: region }, { at: 'ü' }, { 'Mcp-Param-Region': '=?base64?w7w=?=' }],
  ['line breaks', { at: region }, { at: 'a\nb' }, { 'Mcp-Param-Region': '=?base64?YQpi?=' }],
  ['in a list', { at: { type: 'array', items: region } }, { at: ['eu'] }, undefined],
  ['no header name', { at: { type: 'string', 'x-mcp-header': 'a b' } }, { at: 'eu' }, undefined],
] as const)
  test(`headers that repeat arguments: ${what}`, () => {
    assert.deepEqual(paramHeaders(schema(properties), args), headers)
  })
