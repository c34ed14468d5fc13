import { expect, test } from 'vitest'
import { likeness } from './suggest-pages.ts'

test.each([
  ['getting started', 'Getting started /guides/start'],
  ['instal', 'Install the greenhouse /guides/install'],
  ['component', 'Components /components'],
  ['roses', 'Flowers /plants/roses'],
])('the query "%s" suggests the page "%s"', (query, name) => {
  expect(likeness(query, name)).toBeGreaterThanOrEqual(0.6)
})

test.each([
  ['nope', 'Upload a file /upload'],
  ['nope', 'Notes /notes'],
  ['nope', 'Environment variables /operate/environment'],
  ['all of it', 'Roses /plants/roses'],
])('the query "%s" does not suggest the page "%s"', (query, name) => {
  expect(likeness(query, name)).toBeLessThan(0.6)
})
