import { formatCount } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'

const PRINT_EVERY_MS = 100
const CLEAR_LINE = '\r\u001b[K'

export type ExportProgress = {
  /** Updates the progress, which is printed at intervals. */
  readonly show: (rowCount: number, byteCount: number) => void
  /** Clears the progress line before other output. */
  readonly clear: () => void
}

/** Shows a progress line that overwrites itself on a terminal, and no output elsewhere. */
export function createExportProgress(
  world: CommandContext,
  rowCountBefore: number,
): ExportProgress {
  const { now } = world.clock
  const startedAt = now()
  let printedAt = 0
  if (world.err.isTTY !== true) return { show: () => {}, clear: () => {} }
  return {
    show(rowCount, byteCount) {
      if (now() - printedAt < PRINT_EVERY_MS) return
      printedAt = now()
      const seconds = Math.max(0.001, (now() - startedAt) / 1_000)
      const rate = Math.round((rowCount - rowCountBefore) / seconds)
      const parts = [
        `${formatCount(rowCount)} rows`,
        printMegabytes(byteCount),
        `${formatCount(rate)} rows/s`,
      ]
      world.err.write(`${CLEAR_LINE}${parts.join(', ')}`)
    },
    clear() {
      if (printedAt > 0) world.err.write(CLEAR_LINE)
      printedAt = 0
    },
  }
}

export function printMegabytes(byteCount: number): string {
  return `${(byteCount / 1_000_000).toFixed(1)} MB`
}
