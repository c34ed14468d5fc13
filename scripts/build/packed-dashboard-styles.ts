/** Replaces the dashboard's `dashboard-styles.ts` in the package: its files are joined ahead. */
import { readPacked } from './read-packed.ts'

export function dashboardStyles(fontFaces = ''): string {
  return `${fontFaces}${readPacked('dashboard-styles.json') as string}`
}
