/**
 * A site for tests that is written to a temporary folder and built. Its outputs can be compared
 * byte by byte.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type BuildOptions, buildSite } from '../src/pipeline/build-site.ts'
import type { BuildResult } from '../src/pipeline/build-tree.ts'
import { BUILD_RECORD } from '../src/source/read-folder.ts'

export type Files = Readonly<Record<string, string>>

export class TemporarySite implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'octavo-build-'))
  readonly folder = join(this.root, 'docs')

  constructor(files: Files = {}) {
    mkdirSync(this.folder)
    this.write(files)
  }

  write(files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true })
  }

  build(options: Partial<BuildOptions> = {}): Promise<BuildResult> {
    return buildSite({
      folder: this.folder,
      output: join(this.root, 'out'),
      cacheFolder: join(this.root, 'cache'),
      version: 'test',
      workersMax: 1,
      isTrusted: true,
      ...options,
    })
  }

  /**
   * Returns the hash of every file in an output folder, except the build record: its keys may differ
   * between two ways to the same site, because they only decide what the next build keeps.
   */
  hashes(output = 'out'): Files {
    const root = join(this.root, output)
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== BUILD_RECORD)
      .map((entry) => join(entry.parentPath, entry.name))
    return Object.fromEntries(
      files.toSorted().map((file) => [file.slice(root.length + 1), sha256(readFileSync(file))]),
    )
  }

  read(path: string, output = 'out'): string {
    return readFileSync(join(this.root, output, path), 'utf8')
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
