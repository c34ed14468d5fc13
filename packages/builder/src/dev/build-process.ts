/** Runs in the child process of `background-build.ts`: builds the site once and exits. */
import { enableCompileCache } from 'node:module'
import type { BuildOrder, BuildReply } from './background-build.ts'

enableCompileCache()
const { buildSite } = await import('../pipeline/build-site.ts')
const { recordedFetcher } = await import('../load/specification-fetcher.ts')

const send = (reply: BuildReply) => process.send?.(reply)

// The parent process has ended.
process.on('disconnect', () => process.exit())
process.on('message', async ({ specifications, ...order }: BuildOrder) => {
  const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) =>
    send({ kind: 'progress', done, total })
  const fetcher = recordedFetcher(specifications)
  const { diagnostics, pageCount } = await buildSite({
    ...order,
    isTrusted: true,
    fetcher,
    withoutHtml: true,
    onProgress,
  })
  process.send?.({ kind: 'done', diagnostics, pageCount } satisfies BuildReply, () =>
    process.disconnect(),
  )
})
