/** A small in-memory volume that can be filled up. Only root can mount one. */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const canMount = () => process.getuid?.() === 0 && process.platform === 'linux'

export function mountSmallVolume(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-volume-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  chmodSync(folder, 0o755)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Writes until the volume is full. */
    fill: () => {
      const file = openSync(ballast, 'w')
      for (const bytes of [1_000_000, 4_096]) {
        const piece = Buffer.alloc(bytes)
        try {
          for (;;) writeSync(file, piece)
        } catch {
          // The volume is full.
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
