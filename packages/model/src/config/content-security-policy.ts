/** Hosts that pages may use in addition to those that Octavo finds in them. */
import { listOf, text } from '../schema/schema.ts'
import { optional, shape } from '../schema/shape.ts'

/** Excludes characters that end or start a directive, and keywords that disable one. */
const ORIGIN = /^(?:https|wss):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?$/

const origins = listOf(
  text({
    expected: 'an origin such as `https://cdn.example.com`',
    json: { pattern: ORIGIN.source },
    check: (value) => (ORIGIN.test(value) ? undefined : `is "${value}", which is not an origin`),
    hint: 'Write `https://` and the host in lower case, without a path. Use `https://*.example.com` to include all subdomains.',
  }),
)

/** The field names are the ones browsers print in the console when they block a request. */
export const contentSecurityPolicy = shape({
  'script-src': optional(origins, 'Allowed origins for scripts.'),
  'style-src': optional(origins, 'Allowed origins for stylesheets.'),
  'connect-src': optional(origins, 'Allowed origins for requests from scripts.'),
  'frame-src': optional(origins, 'Allowed origins for iframes.'),
  'img-src': optional(origins, 'Allowed origins for images.'),
  'media-src': optional(origins, 'Allowed origins for video and audio.'),
  'font-src': optional(origins, 'Allowed origins for fonts.'),
})
