export { readTheme } from './screen.ts'
export { renderRecovery, renderRecoveryCodes } from './recovery-pages.ts'
export * from './sign-in-pages.ts'
import type { Visit } from './visit.ts'
export type { Api, Person, Visit } from './visit.ts'
export function createDashboard(_: object) { return { handle: async (_visit: Visit) => new Response('dashboard') } }
export const dashboardStyles = () => ''
