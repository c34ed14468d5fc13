import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import type { MockProblem } from './mock-messages.ts'

export type ChosenResponse = { readonly status: number; readonly node: NodeId | undefined }

/** Statuses that a server cannot send as the final response. */
const FIRST_STATUS = 200

/**
 * Chooses a response: the one of the preferred code, otherwise the first success response, then the
 * default one, then the first one.
 */
export function chooseResponse(
  specification: Specification,
  { node }: Operation,
  code: string | undefined,
): ChosenResponse | MockProblem {
  const { document } = specification
  const responses = document
    .entries(document.field(node, 'responses'))
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
  if (code !== undefined) {
    const [, found] =
      responses.find(([status]) => status === code) ??
      responses.find(([status]) => status.toUpperCase() === `${code.charAt(0)}XX`) ??
      responses.find(([status]) => status === 'default') ??
      []
    const isStatus = /^[2-5]\d\d$/.test(code)
    if (found === undefined || !isStatus)
      return unknownCode(
        code,
        responses.map(([status]) => status),
      )
    return { status: Number(code), node: specification.follow(found) }
  }
  const final = responses.filter(([status]) => status === 'default' || !status.startsWith('1'))
  const [status, found] =
    final.find(([one]) => one.startsWith('2')) ??
    final.find(([one]) => one === 'default') ??
    final[0] ??
    []
  return { status: statusOf(status), node: specification.follow(found) }
}

/** Returns the status of a response such as `404`, `4XX` or `default`. */
function statusOf(status: string | undefined): number {
  if (status === undefined || status === 'default') return FIRST_STATUS
  return Number(status.replaceAll(/x/gi, '0'))
}

function unknownCode(code: string, statuses: readonly string[]): MockProblem {
  return {
    code: 'unknown-response',
    place: 'header.Prefer',
    reason: `The operation has no response \`${code}\`.`,
    hint: `Use one of ${statuses.map((status) => `\`${status}\``).join(', ')}, or add the response.`,
  }
}
