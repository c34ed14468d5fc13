import type { SampleRequest } from '@octavo/openapi/browser'
import { serverUrl } from './build-request.ts'
import type { Operation, RequestState } from './request-state.ts'

/** Sends a request to the mock of `octavo dev --mock`, instead of to its server. */
export function throughMock(
  operation: Operation,
  state: RequestState,
  request: SampleRequest,
): SampleRequest {
  const mock = document.querySelector<HTMLMetaElement>('meta[name=octavo-mock]')?.content
  if (mock === undefined) return request
  const rest = request.url.slice(serverUrl(operation, state).length)
  return { ...request, url: `${location.origin}${mock}${rest}` }
}
