/** A local trace collector, which rejects all requests that are not OTLP in JSON. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** Matches the hexadecimal ids of OTLP, which must not be all zeros. */
const idOf = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[\\da-f]{${digits}}$`))
const Nanoseconds = z.string().regex(/^1\d{18}$/)
const Attributes = z.array(
  z.strictObject({
    key: z.string().min(1),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    ]),
  }),
)
const Span = z.strictObject({
  traceId: idOf(32),
  spanId: idOf(16),
  parentSpanId: idOf(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  status: z.strictObject({ code: z.literal(2).optional() }),
})
const Body = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes: Attributes }),
        scopeSpans: z
          .array(
            z.strictObject({
              scope: z.strictObject({ name: z.string().min(1) }),
              spans: z.array(Span).min(1),
            }),
          )
          .length(1),
      }),
    )
    .length(1),
})

type CollectedSpan = Omit<z.infer<typeof Span>, 'attributes'> & {
  readonly attributes: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, string>>
}

export type OtlpCollector = {
  /** The URL for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** Sets how the collector responds. If the status is undefined, it does not respond. */
  readonly respond: (status: number | undefined, body?: string) => void
  readonly stop: () => Promise<void>
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  let reply: readonly [status: number | undefined, body: string] = [200, '{}']
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push({ headers: request.headers, body })
    const [status, replyBody] = reply
    if (status === undefined) return
    const isOtlp =
      request.method === 'POST' &&
      request.url === '/v1/traces' &&
      request.headers['content-type'] === 'application/json'
    const read = Body.safeParse(isOtlp ? JSON.parse(body) : undefined)
    if (!read.success) console.error(read.error)
    if (status === 200 && read.success) spans.push(...spansIn(read.data))
    response.writeHead(read.success ? status : 400).end(replyBody)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    respond: (status, body = '{}') => {
      reply = [status, body]
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function spansIn({ resourceSpans }: z.infer<typeof Body>): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
    ),
  )
}

function valuesOf(attributes: z.infer<typeof Attributes>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'intValue' in value ? value.intValue : value.stringValue,
    ]),
  )
}
