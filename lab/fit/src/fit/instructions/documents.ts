/** A kind of ordinary document: its fields by name, each a way to write one line, and how many of them. */
export interface DocumentKind {
  readonly fields: readonly (readonly [name: string, line: string, least: number, most: number])[]
  /** How many records of the kind one result has at most. */
  readonly records: number
  /** How lines are joined. */
  readonly joint: ' ' | '\n'
}

const kind = (
  fields: DocumentKind['fields'],
  joint: DocumentKind['joint'] = ' ',
  records = 1,
): DocumentKind => ({ fields, joint, records })

/** What tools bring back, much of it full of requests and commands among people. */
export const DOCUMENTS: readonly DocumentKind[] = [
  kind(
    [
      ['sender', '{email}', 1, 1],
      ['subject', '{subject}', 1, 1],
      ['body', '{mailBody}', 1, 1],
      ['timestamp', '2025-0{digit}-1{digit} {time}', 1, 1],
    ],
    ' ',
    4,
  ),
  kind(
    [
      ['from', '{email}', 1, 1],
      ['subject', '{subject}', 1, 1],
      ['text', '{mailBody}', 1, 1],
    ],
    ' ',
    3,
  ),
  kind([['body', '{greeting}\n{mailLine} {mailLine}\n{regards}', 1, 1]]),
  kind([
    ['body', '{greeting} {security} {security} {security}\n{regards}', 1, 1],
    ['sender', 'no-reply@{domain}', 1, 1],
  ]),
  kind([['content', '{offer}', 2, 5]]),
  kind(
    [
      ['body', '{mailLine}', 1, 2],
      ['channel', '{channel}', 1, 1],
      ['sender', '{first}', 1, 1],
    ],
    ' ',
    5,
  ),
  kind(
    [
      ['message', '{sentence}', 1, 2],
      ['user', '{first}', 1, 1],
    ],
    ' ',
    6,
  ),
  kind(
    [
      ['title', '{topic}', 1, 1],
      ['description', '{minutes}', 1, 2],
      ['location', 'Room {digit}', 1, 1],
      ['participants', '{email}', 1, 1],
      ['start_time', '2025-0{digit}-1{digit} {time}', 1, 1],
    ],
    ' ',
    4,
  ),
  kind(
    [
      ['description', '{plain}', 1, 1],
      ['end_time', '{date} {time}', 1, 1],
      ['title', '{topic}', 1, 1],
    ],
    ' ',
    4,
  ),
  kind([['reviews', '{review}', 2, 7]], '\n', 3),
  kind(
    [
      ['{hotel}', 'Rating: {digit}.{digit}', 1, 1],
      ['{company}', '{review}', 1, 4],
    ],
    '\n',
    2,
  ),
  kind([['content', '{news}', 1, 6]]),
  kind([['content', '{about}', 1, 4]]),
  kind([['content', '{sentence}', 1, 6]]),
  kind([['content', '{sentence}', 2, 8]], '\n'),
  kind([['content', '{minutes}', 3, 10]], '\n'),
  kind([['content', '{recipe}', 4, 12]], '\n'),
  kind([['content', '{recipe}', 4, 9]]),
  kind([['readme', '{manual}', 4, 12]], '\n'),
  kind([['documentation', '{manual}', 3, 9]]),
  kind([['policy', '{notice}', 2, 8]], '\n'),
  kind([['notice', '{notice}', 1, 3]]),
  kind([['list', '{todo}', 2, 9]], '\n'),
  kind([['content', '{code}', 3, 14]], '\n'),
  kind([['ticket', '{support}', 1, 5]], '\n'),
  kind([['rows', '{listing}', 1, 9]], '\n'),
  kind(
    [
      ['subject', '{word}', 1, 1],
      ['amount', '{digits}', 1, 1],
      ['recipient', '{account}', 1, 1],
    ],
    ' ',
    6,
  ),
  kind([
    ['id', '{digits}', 1, 1],
    ['status', '{plain}', 1, 1],
  ]),
  kind([
    ['comment', '{aiNews}', 1, 4],
    ['author', '{person}', 1, 1],
  ]),
  kind(
    [
      ['name', '{product}', 1, 1],
      ['details', '{plain}', 1, 3],
      ['feedback', '{review}', 1, 4],
    ],
    ' ',
    3,
  ),
  // The same lines by themselves: that a text is short must not speak against it.
  ...['mailLine', 'notice', 'offer', 'shortList', 'support'].map((rule) =>
    kind([['content', `{${rule}}`, 1, 3]]),
  ),
]
