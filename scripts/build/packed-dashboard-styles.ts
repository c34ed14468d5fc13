/**
 * Replaces the dashboard's `dashboard-styles.ts` in the package: its files are joined at build
 * time.
 */
import { readPacked } from './read-packed.ts'

export function dashboardStyles(fontFaces = ''): string {
  return `${fontFaces}${readPacked('dashboard-styles.json') as string}`
}
