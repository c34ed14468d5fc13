/** Checks that every tool is loaded from a host that the tool's own policy allows. */
import { describe, expect, test } from 'vitest'
import { TOOL_CASES } from '../../../testing/integration-cases.ts'
import { consentManagers } from './consent-managers.ts'
import type { Integrations } from './loaded-tool.ts'
import { loadedTools } from './tools.ts'

const ORIGIN = /^(?:(?:https|wss):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?|blob:)$/

describe('integration tools', () => {
  test.each(Object.entries(TOOL_CASES))(
    'the integration %s has a script URL and valid origins',
    (name, tool) => {
      const [loaded, ...others] = loadedTools({ [name]: tool.settings } as Integrations)
      expect(others).toEqual([])
      expect(loaded?.src).toBe(tool.script)
      const { host, origin } = new URL(tool.script)
      const domain = host.split('.').slice(-2).join('.')
      const allowed = loaded?.origins.scripts ?? []
      expect(allowed.includes(origin) || allowed.includes(`https://*.${domain}`)).toBe(true)
      for (const one of Object.values(loaded?.origins ?? {}).flat()) expect(one).toMatch(ORIGIN)
    },
  )

  test('no tool is loaded if a consent setting is invalid', () => {
    const ga4 = { measurementId: 'G-AB12CD34EF' }
    expect(loadedTools({ ga4 })).toHaveLength(1)
    expect(loadedTools({ ga4, cookies: { key: 'consent' } })).toHaveLength(1)
    for (const consent of [
      { cookies: { key: '' } },
      { onetrust: { domainScript: '' } },
      { onetrust: { domainScript: 'a', categoryId: '' } },
      { transcend: { bundleId: '' } },
    ]) {
      expect(loadedTools({ ga4, ...consent })).toEqual([])
      expect(consentManagers(consent)).toEqual([])
    }
  })

  test('a consent manager uses its default category unless another one is configured', () => {
    const groups = (integrations: Integrations) =>
      consentManagers(integrations).map(({ group }) => group)
    const onetrust = { domainScript: 'a' }
    const transcend = { bundleId: 'a' }
    expect(groups({ onetrust, transcend })).toEqual(['C0002', 'Analytics'])
    expect(groups({ onetrust: { ...onetrust, categoryId: 'C0004' } })).toEqual(['C0004'])
    expect(groups({ transcend: { ...transcend, analyticsPurpose: 'Use' } })).toEqual(['Use'])
  })
})
