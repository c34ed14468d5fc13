import { JSON_FORMAT } from './params.ts'
import { chooseFormat } from './parse-request.ts'
import type { Admitted, Frame, RequestContext, RouteFacts } from './route.ts'

/** Logs a download of many rows; other reads are not logged. */
export async function auditExport(
  frame: Frame,
  { exportAction, formats = [JSON_FORMAT] }: Partial<Pick<RouteFacts, 'exportAction' | 'formats'>>,
  request: Pick<RequestContext, 'request' | 'clientAddress' | 'requestId'> & {
    readonly caller: Admitted | undefined
  },
): Promise<void> {
  const { caller, clientAddress, requestId } = request
  const format = chooseFormat(request.request.headers.get('accept'), formats)
  if (exportAction === undefined || format === formats[0] || frame.isReadOnly) return
  if (caller === undefined || caller.kind === 'person') return
  const dates = [...new URL(request.request.url).searchParams].filter(([name]) => DATES.has(name))
  const after = { format, ...Object.fromEntries(dates) }
  await frame.audit(caller, { action: exportAction, after, clientAddress, requestId })
}

/** Other parameters can contain text of readers, which the log must not have. */
const DATES = new Set(['from', 'to', 'dateFrom', 'dateTo'])
