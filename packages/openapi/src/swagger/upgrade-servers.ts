import type { NodeId } from '../document/tape.ts'
import type { TapeWriter } from '../document/tape-writer.ts'

/**
 * Writes `servers` from the host and the base path, one for each scheme of the document or of an
 * operation. HTTPS comes first, since samples show the first server.
 */
export function writeServers(writer: TapeWriter, owner: NodeId): void {
  const { from } = writer
  const host = from.textField(from.root, 'host')
  const basePath = from.textField(from.root, 'basePath')
  if (host === undefined && basePath === undefined) return
  const path = (basePath ?? '').replace(/\/+$/, '')
  const schemes = from.texts(from.field(owner, 'schemes'))
  const used = schemes.length > 0 ? schemes : ['https']
  const urls =
    host === undefined
      ? [path === '' ? '/' : path]
      : used
          .toSorted((a, b) => Number(b === 'https') - Number(a === 'https'))
          .map((scheme) => `${scheme}://${host}${path}`)
  const at = from.field(from.root, 'host') ?? from.field(from.root, 'basePath') ?? owner
  writer.text('servers', at)
  writer.list(at, () => {
    for (const url of urls) {
      writer.object(at, () => {
        writer.text('url', at)
        writer.text(url, at)
      })
    }
  })
}
