import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createDocsServer, type DocsServerOptions } from './create-docs-server.ts'

export type StdioStreams = { readonly input: Readable; readonly output: Writable }

/** Serves one client over stdio until it closes the pipes. */
export async function serveDocs(
  site: DocsServerOptions,
  { input, output }: StdioStreams,
): Promise<void> {
  const transport = new StdioServerTransport(input, output)
  const { promise, resolve } = Promise.withResolvers<void>()
  input.once('close', resolve)
  input.once('end', resolve)
  const { close } = serveStdio(() => createDocsServer(site), { transport, onerror: site.onError })
  await promise
  await close()
}
