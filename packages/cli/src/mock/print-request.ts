import { printable } from '@octavo/model'
import type { Colors } from '../report/colors.ts'
import type { SeenRequest } from './recent-requests.ts'

/** Prints a request with its status and operation, and the reasons of a refusal. */
export function printRequest(
  { method, url, operation, status, problems }: SeenRequest,
  { bold, dim, green, red }: Colors,
): string {
  const paint = problems.length === 0 ? green : red
  const matched = operation === undefined ? '' : `  ${dim(printable(operation))}`
  const first = `${paint(String(status))}  ${bold(printable(`${method} ${url}`))}${matched}\n`
  const reasons = problems.map(({ reason, hint }) => `     ${printable(`${reason} ${hint}`)}\n`)
  return `${first}${reasons.join('')}`
}
