import { newSpanContext, type Span, type Traces } from '../telemetry/traces.ts'

/**
 * Records a span for a job, even if it fails, and child spans for the parts that the job reports.
 */
export async function traceJob(
  traces: Pick<Traces, 'record'>,
  { queue, id }: { readonly queue: string; readonly id: string },
  work: (recordPart: (part: Omit<Span, 'kind' | 'context' | 'parent'>) => void) => Promise<void>,
): Promise<void> {
  const context = newSpanContext()
  const started = performance.now()
  let isError = true
  try {
    await work((part) =>
      traces.record({
        ...part,
        kind: 'internal',
        context: newSpanContext(context.traceId),
        parent: context,
      }),
    )
    isError = false
  } finally {
    traces.record({
      name: `job ${queue}`,
      kind: 'consumer',
      ms: performance.now() - started,
      isError,
      attributes: { 'octavo.queue': queue, 'octavo.job_id': id },
      context,
    })
  }
}
