/** Settings for sending traces, from the standard OpenTelemetry variables. */
import { z } from 'zod'
import { refuse, type ValuesOf } from '../settings-values.ts'

export type TraceSettings = {
  /** The URL that traces are posted to. */
  readonly url: string
  /** Headers for the collector, such as the API key of a hosted collector. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS'

/** An empty value counts as not set, as in the OpenTelemetry specification. */
export const TRACE_VARIABLES = {
  /** A collector that accepts OTLP over HTTP. Without it, traces are not recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().default('').transform(readEndpoint),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default('').transform(readHeaders),
  OTEL_SERVICE_NAME: z
    .string()
    .max(100, {
      error: 'OTEL_SERVICE_NAME must be a name with up to 100 characters, such as octavo.',
    })
    .default(''),
}

export function traceSettingsOf(
  values: ValuesOf<typeof TRACE_VARIABLES>,
): TraceSettings | undefined {
  const url = values.OTEL_EXPORTER_OTLP_ENDPOINT
  if (url === undefined) return undefined
  const serviceName = values.OTEL_SERVICE_NAME || 'octavo'
  return { url, headers: values.OTEL_EXPORTER_OTLP_HEADERS, serviceName }
}

/** Returns the URL for traces, which is below the endpoint for all signals. */
function readEndpoint(text: string, context: z.RefinementCtx): string | undefined {
  if (text.trim() === '') return undefined
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url !== null && isHttp && url.username === '' && url.search === '')
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}/v1/traces`
  return refuse(
    context,
    `${ENDPOINT} must be the URL of a collector that accepts OTLP over HTTP, such as http://127.0.0.1:4318. Put secrets into ${HEADERS}.`,
  )
}

/** Parses `name=value,name=value` with percent-encoded values. */
function readHeaders(text: string, context: z.RefinementCtx): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  try {
    const headers = new Headers(pairs.map((pair) => readPair(pair)))
    return Object.fromEntries(headers)
  } catch {
    // The error does not repeat the value, because it is a secret.
    return refuse(
      context,
      `${HEADERS} must be a list of headers, such as x-api-key=abc,x-team=docs, with percent-encoded values.`,
    )
  }
}

function readPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  if (equals < 1) throw new Error('a header must have a name and a value')
  return [pair.slice(0, equals).trim(), decodeURIComponent(pair.slice(equals + 1).trim())]
}
