export {
  type ConnectProxy,
  type ConnectProxyOptions,
  openConnectProxy,
  type ProxyFailure,
} from './connect-proxy.ts'
export {
  fetchOutbound,
  OUTBOUND_LIMITS,
  type OutboundLimits,
  type OutboundOptions,
} from './fetch-outbound.ts'
export { parseHostName } from './host-name.ts'
export { type OutboundStream, openOutbound } from './open-outbound.ts'
export {
  type OutboundFailure,
  type OutboundLoaded,
  type OutboundOutcome,
  printOutboundFailure,
} from './outbound-outcome.ts'
export {
  type OutboundRequestOptions,
  type OutboundResponse,
  requestOutbound,
} from './request-outbound.ts'
