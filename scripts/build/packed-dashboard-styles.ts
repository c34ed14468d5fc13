/**
 * Replaces the dashboard's `dashboard-styles.ts` in the package, whose style files are joined when
 * it is built.
 */
import { readPacked } from './read-packed.ts'

export function dashboardStyles(fontFaces = ''): string {
  return `${fontFaces}${readPacked('dashboard-styles.json') as string}`
}
