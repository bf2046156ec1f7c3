import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountsIn } from './accounts.js'
import { giftOf } from './gives.js'
import { payeesOf } from './payees.js'
import { levelOf } from './sums.js'

const KNOWN = 'DE89370400440532013000'
const OTHER = 'GB29NWBK60161331926819'

test('accounts are IBANs with right digits, wallets, and numbers that are called accounts', () => {
  for (const [text, ...values] of [
    [`to ${KNOWN}.`, KNOWN],
    ['DE89 3704 0044 0532 0130 00 please', KNOWN],
    ['gb29 nwbk 6016 1331 9268 19 now', OTHER],
    ['0x52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['Konto 532013000, BLZ 37040044', '532013000'],
    ['account no 1234-5678', '12345678'],
    ['口座番号 1234567', '1234567'],
    ['IBAN US133000000121212121212', 'US133000000121212121212'],
    ['order RE20241234567890'],
    ['customer 7730194422, phone 030 1234567'],
    ['2024-05-30 19:30'],
  ] as const)
    assert.deepEqual(
      accountsIn(text).map(({ value }) => value),
      values,
      text,
    )
})

const named = (text: string, result?: unknown) =>
  payeesOf(text, result).map(({ account, names }) => [account?.value, ...names])

test('the owner of an account stands beside it, in its record or at the head of its letter', () => {
  assert.deepEqual(named(`Miller GmbH, IBAN ${KNOWN}`), [[KNOWN, 'Miller GmbH', 'Miller']])
  assert.deepEqual(named(`name,iban\nAnn Moor,${OTHER}\nBob Lee,${KNOWN}\n`), [
    [OTHER, 'Ann Moor'],
    [KNOWN, 'Bob Lee'],
  ])
  assert.deepEqual(named(`From: Ann Moor <ann@moor.example>\n\nPay to ${KNOWN}`), [
    [KNOWN, 'ann@moor.example', 'Ann Moor'],
  ])
  const records = [{ id: 7, payee: 'City Power Ltd', bank: { account: '12345678' } }]
  assert.deepEqual(named(JSON.stringify(records), records), [['12345678', 'City Power Ltd', 'City Power']])
  assert.deepEqual(named(JSON.stringify(records)), [['12345678', 'City Power Ltd', 'City Power']])
  assert.deepEqual(named(`三木商事 口座番号 1234567`), [['1234567', '三木商事']])
})

test('a bank owns no account, nor does whom a letter addresses', () => {
  for (const [text, ...names] of [
    [`Ann Moor, IBAN ${KNOWN}, Deutsche Bank Berlin`, 'Ann Moor'],
    [`To: Emma Johnson <emma@j.example>\nDear Emma Johnson, pay Ann Moor, ${KNOWN}`, 'Ann Moor'],
    [`Sehr geehrte Frau Johnson,\nAnn Moor, Bank Account ${KNOWN}`, 'Ann Moor'],
  ] as const)
    assert.deepEqual(named(text), [[KNOWN, ...names]], text)
  const record = {
    name: 'Ann Moor',
    bank_name: 'Postbank',
    branchName: 'Berlin',
    payer_name: 'Bob',
    iban: KNOWN,
  }
  assert.deepEqual(named(JSON.stringify(record)), [[KNOWN, 'Ann Moor']])
  const step = { customer_name: 'Emma Johnson', iban: OTHER }
  assert.deepEqual(gift('send_money', step).names, [])
  assert.deepEqual(gift('refund_payment', step).names, ['Emma Johnson'])
})

test('in a task only the sentence of an account says whose it is', () => {
  const [payee] = payeesOf(`I met Bob Lee. Pay Ann Moor, ${KNOWN}.`, undefined, true)
  assert.deepEqual(payee?.names, ['Ann Moor'])
  assert.deepEqual(
    payeesOf('Pay the invoice of Miller GmbH', undefined, true).map(({ names }) => names),
    [['Miller GmbH', 'Miller']],
  )
})

test('a text without an account or an amount says nothing of payees', () => {
  assert.deepEqual(payeesOf('Ann Moor lives in New York.'), [])
  assert.deepEqual(named('City Power Ltd: 84 GBP'), [[undefined, 'City Power Ltd', 'City Power']])
})

const gift = (tool: string, args: Readonly<Record<string, unknown>>, description?: string) =>
  giftOf({ tool, description, arguments: args })

test('a step gives to its recipients, not to its own account', () => {
  const { to, accounts, names } = gift('transfer', {
    from_account: KNOWN,
    to: { name: 'Bob Lee', iban: OTHER },
    subject: 'rent',
  })
  assert.deepEqual(
    [to, accounts.map(({ value }) => value), names],
    [[OTHER, 'Bob Lee'].slice(0, 1), [OTHER], ['Bob Lee']],
  )
  assert.deepEqual(gift('update_password', { password: 'x-1', username: 'ann' }).to, ['x-1'])
  assert.deepEqual(gift('share_calendar', { user: 'ann@moor.example', calendar: 'work' }).to, [
    'ann@moor.example',
  ])
  assert.deepEqual(gift('update_contact', { name: 'Bob Lee', iban: OTHER }).to, [])
})

test('a step that gives more than is read says so', () => {
  const deep = { a: [[[[[[[[{ to: OTHER }]]]]]]]] }
  const many = { meta: Array.from({ length: 256 }, () => 1), to: OTHER }
  const ninth = { account: Array.from({ length: 9 }, (_, i) => `${20_000_000 + i}`) }
  for (const args of [deep, many, ninth]) {
    assert.equal(gift('send_money', args).isCut, true)
    assert.equal(gift('write_file', args).isCut, false)
  }
  assert.equal(gift('send_money', { to: OTHER, account: ninth.account.slice(2) }).isCut, false)
})

test('it moves the total of its amounts, in whole units', () => {
  for (const [tool, args, value, description] of [
    ['send_money', { amount: 1240 }, 1240],
    ['send_money', { amount: '1.240,00 €' }, 1240],
    ['send_money', { amount: '1,240.00' }, 1240],
    ['send_money', { amount: 'two hundred euros' }, 200],
    ['send_money', { amount: 100, tip: 20, date: 20240530 }, 120],
    ['send_money', { amount: { value: '10.00', currency_code: 'EUR' } }, 10],
    ['refund', { amountCents: 5000, currency: 'EUR' }, 50],
    ['refund', { amount_minor: 5000, currency: 'JPY' }, 5000],
    ['refund', { amount_minor: 5000, currency: 'KWD' }, 5],
    ['stripe_refund', { amount: 5000, currency: 'eur' }, 50],
    ['refund', { amount: 5000 }, 50, 'Refunds a charge. The amount is in cents.'],
    ['place_order', { items: [{ price: '2,50', quantity: 4 }, { price: 5 }], tip: 1 }, 16],
    ['place_order', { items: [{ price: 10, quantity: 4 }], total: 35 }, 35],
  ] as const)
    assert.deepEqual(
      gift(tool, args, description).sums.map(({ level }) => level),
      [levelOf(value)],
      JSON.stringify(args),
    )
  assert.deepEqual(gift('send_email', { amount: 5 }).sums, [])
  assert.deepEqual(gift('send_money', { amount: 'all of it' }).sums, [])
})

test('values that throw, and texts of any kind, are read without fail and in time', () => {
  const hostile = Object.defineProperty({}, 'a', { enumerable: true, get: () => assert.fail('no') })
  assert.deepEqual(payeesOf('', hostile), [])
  assert.deepEqual(gift('send_money', { hostile }).sums, [])
  for (const part of ['DE89 ', 'a@b.c ', 'A b. ', '1 ', `${KNOWN} `, 'Ann Moor ', '三木 '])
    assert.ok(payeesOf(part.repeat(100_000)).length <= 12, part)
})
