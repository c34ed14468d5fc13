import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' },
  ...{ '.svg': 'image/svg+xml', '.json': 'application/json' },
}

/** A plain static host: it neither compresses nor rewrites. */
export async function serveFolder(
  folder: string,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname))
    const found = [join(folder, path), join(folder, path, 'index.html')].find(
      (file) => existsSync(file) && statSync(file).isFile(),
    )
    if (found === undefined) {
      response.writeHead(404).end()
      return
    }
    const type = TYPES[extname(found)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-length': statSync(found).size })
    createReadStream(found).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
