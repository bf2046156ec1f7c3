/** Letters and digits of ASCII. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57
export const isUpper = (code: number): boolean => code >= 65 && code <= 90
export const isLower = (code: number): boolean => code >= 97 && code <= 122

export function countSolid(text: string, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || isLower(code) || isUpper(code)) count++
  }
  return count
}
