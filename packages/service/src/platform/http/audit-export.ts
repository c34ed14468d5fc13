import { JSON_FORMAT } from './params.ts'
import { chooseFormat } from './parse-request.ts'
import type { Admitted, Frame, RequestContext, RouteDescription } from './route.ts'

/**
 * Writes an audit event if the request downloads many rows in a format other than the default.
 * Other reads are not logged.
 */
export async function auditExport(
  frame: Frame,
  {
    exportAction,
    formats = [JSON_FORMAT],
  }: Partial<Pick<RouteDescription, 'exportAction' | 'formats'>>,
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

/**
 * The query parameters to log. Others can contain readers' text, which must not be in the audit
 * log.
 */
const DATES = new Set(['from', 'to', 'dateFrom', 'dateTo'])
