import type { Policy } from '@plimsoll/contracts'
import type { Finding } from './finding.js'

/** What the document says of the line that lets data out: seen in the arguments, or not known. */
export function lineFindings({ line }: Policy): Finding[] {
  const isOpen = (evidence: keyof Policy['line']): boolean =>
    line[evidence] === 'allow' || line[evidence] === 'warn'
  return [
    ...(isOpen('present')
      ? [
          {
            code: 'line-lets-leaks-run' as const,
            path: ['line', 'present'],
            message: `\`line.present: ${line.present}\` lets steps run that carry sensitive data out: use \`block\` or \`confirm\``,
          },
        ]
      : []),
    ...(isOpen('unknown')
      ? [
          {
            code: 'line-lets-unknown-run' as const,
            path: ['line', 'unknown'],
            message: `\`line.unknown: ${line.unknown}\` lets steps run that may carry sensitive data out, by reference or by code that is not understood: use \`confirm\``,
          },
        ]
      : []),
  ]
}
