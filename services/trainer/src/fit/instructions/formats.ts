/** How tools write a text into their result. Each keeps every character of it, escaped or folded as its format has it. */
export type Format = (fields: readonly Field[]) => string
export interface Field {
  readonly name: string
  readonly text: string
}

const WIDTH = 80

/** Breaks at spaces before column 80. */
function fold(text: string, glue: string): string {
  let line = 0
  return text
    .split(' ')
    .map((word, index) => {
      const broken = index > 0 && line + word.length > WIDTH
      line = broken ? word.length : line + word.length + 1
      return index === 0 ? word : (broken ? glue : ' ') + word
    })
    .join('')
}

const yamlSingle: Format = (fields) =>
  fields
    .map(
      ({ name, text }) =>
        `  ${name}: '${fold(text.replaceAll("'", "''").replaceAll('\n', '\n\n    '), '\n    ')}'`,
    )
    .join('\n')
    .replace(/^ {2}/, '- ')

const yamlDouble: Format = (fields) =>
  fields
    .map(
      ({ name, text }) =>
        `${name}: "${fold(text.replaceAll('"', '\\"').replaceAll('\n', '\\n'), '\\\n  \\ ')}"`,
    )
    .join('\n')

const yamlPlain: Format = (fields) =>
  fields
    .map(({ name, text }) => `  ${name}: ${fold(text.replaceAll('\n', ' '), '\n    ')}`)
    .join('\n')
    .replace(/^ {2}/, '- ')

const json: Format = (fields) =>
  JSON.stringify(Object.fromEntries(fields.map(({ name, text }) => [name, text])))
const jsonIndented: Format = (fields) =>
  JSON.stringify(Object.fromEntries(fields.map(({ name, text }) => [name, text])), undefined, 2)

const python: Format = (fields) =>
  `{${fields.map(({ name, text }) => `'${name}': "${text.replaceAll('\n', '\\n')}"`).join(', ')}}`

const plain: Format = (fields) => fields.map(({ text }) => text).join('\n\n')
const headed: Format = (fields) => fields.map(({ name, text }) => `${name}: ${text}`).join('\n')
const markdown: Format = (fields) => fields.map(({ name, text }) => `## ${name}\n\n${text}`).join('\n\n')
const html: Format = (fields) =>
  `<html><body>${fields.map(({ name, text }) => `<h2>${name}</h2>\n<p>${text.replaceAll('\n', '</p>\n<p>')}</p>`).join('\n')}</body></html>`
const columns: Format = (fields) => fields.map(({ name, text }) => `${name},${text}`).join('\n')

/** All of them; the plain ones oftener, as they are in life. */
export const FORMATS: readonly Format[] = [
  yamlSingle,
  yamlSingle,
  yamlDouble,
  yamlPlain,
  json,
  jsonIndented,
  python,
  python,
  plain,
  plain,
  plain,
  headed,
  markdown,
  html,
  columns,
]
