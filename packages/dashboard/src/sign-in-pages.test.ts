import { describe, expect, test } from 'vitest'
import { gatePages } from '../testing/gate-pages.ts'

const HOSTILE = '"><img src=x onerror=canary()><script>canary()</script>'

describe('pages before sign-in', () => {
  test.each(Object.entries(gatePages()))(
    'the page %s before sign-in is complete and has no inline scripts',
    (_, text) => {
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
      expect(text.match(/<h1>/g)).toHaveLength(1)
      expect(text).toContain('href="/assets/dashboard.css"')
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style|<[^>]+ (?:style|on\w+)=/)
    },
  )

  test.each(Object.entries(gatePages(HOSTILE)))(
    'the page %s before sign-in escapes its input',
    (_, text) => {
      expect(text).not.toContain('<img')
      expect(text).not.toContain('<script>')
    },
  )

  test('sign-in providers are links, since forms may not lead to another origin', () => {
    const { 'sign-in': text = '' } = gatePages()
    expect(text).toContain('href="/sign-in/oidc/greenhouse?next=%2F"')
    expect(text).toContain('<form class="stack" method="post" action="/sign-in/email">')
  })

  test('without a sign-in method, the sign-in page says who can help', () => {
    const { 'sign-in-nothing': text = '' } = gatePages()
    expect(text).toContain('You cannot sign in here.')
    expect(text).not.toContain('name="email"')
  })

  test('the setup page warns that sessions need HTTPS', () => {
    const { setup = '', 'setup-insecure': insecure = '' } = gatePages()
    expect(insecure).toContain('This page was not loaded over HTTPS.')
    expect(setup).not.toContain('This page was not loaded over HTTPS.')
    expect(setup).toMatch(
      /name="email" type="email" value="amara@greenhouse"[^>]*aria-invalid="true"/,
    )
  })
})
