/** Ids and times that all samples share. */

export const NOW = Date.parse('2026-11-15T14:20:00.000Z')
export const PROJECT_ID = 'prj_5kbu4k41mpelzrqs'
export const ORGANIZATION_ID = 'org_5kbu4k41mpelzrqs'
/** A branch whose last part is longer than a phone is wide, and where no line can break. */
export const LONG_BRANCH =
  'dependabot/npm_and_yarn/tools/eslint_plugin_greenhouse_firmware_and_sensor_reference_documentation_4_12_0'
export const ULIDS = {
  live: '01KG9YS7G0CPZHN1J3EKWGC1Y1',
  before: '01KG9YS7G0CPZHN1J3EKWGC1Y2',
  ready: '01KG9YS7G0CPZHN1J3EKWGC1Y3',
  build: '01KG9YS7G0CPZHN1J3EKWGC1B1',
  failed: '01KG9YS7G0CPZHN1J3EKWGC1B2',
  gap: '01KG9YS7G0CPZHN1J3EKWGC1G1',
  feedback: '01KG9YS7G0CPZHN1J3EKWGC1F1',
  conversation: '01KG9YS7G0CPZHN1J3EKWGC1C1',
}

/** Returns the time this many minutes ago; for a negative number, a time in the future. */
export const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
export const DAY = 24 * 60
