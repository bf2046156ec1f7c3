import { createTokenScanner } from '@plimsoll/labels'

const scan = createTokenScanner()

/** Shortest account or telephone number, in characters. */
const NUMBER_UNITS_MIN = 8

/** Addresses, URLs and long numbers of a text, and where each begins. */
export function tellingValues(text: string): { value: string; at: number }[] {
  const { count, start, end } = scan(text)
  const values: { value: string; at: number }[] = []
  for (let i = 0; i < count; i++) {
    const at = start[i] ?? 0
    const value = text.slice(at, end[i])
    if (isTelling(value)) values.push({ value, at })
  }
  return values
}

function isTelling(value: string): boolean {
  if (/^[\w.+-]+@[\w.-]+$/.test(value)) return true
  if (/^(https?:\/\/|www\.)/.test(value)) return true
  return value.length >= NUMBER_UNITS_MIN && /^[A-Z]{0,2}\d{6,}$/.test(value)
}
