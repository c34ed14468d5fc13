/** Hosts that pages may load from, in addition to the hosts that Octavo finds in their content. */
import { listOf, text } from '../schema/schema.ts'
import { optional, shape } from '../schema/shape.ts'

/** Excludes characters that could end or start a directive, and keywords that turn one off. */
const ORIGIN = /^(?:https|wss):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?$/

const origins = listOf(
  text({
    expected: 'an origin such as `https://cdn.example.com`',
    json: { pattern: ORIGIN.source },
    check: (value) => (ORIGIN.test(value) ? undefined : `is "${value}", which is not an origin`),
    hint: 'Write `https://` and the host in lower case, without a path. Use `https://*.example.com` to include all subdomains.',
  }),
)

/** The fields have the names that browsers print in the console when they block a request. */
export const contentSecurityPolicy = shape({
  'script-src': optional(origins, 'Allowed origins for scripts.'),
  'style-src': optional(origins, 'Allowed origins for stylesheets.'),
  'connect-src': optional(origins, 'Allowed origins for requests from scripts.'),
  'frame-src': optional(origins, 'Allowed origins for iframes.'),
  'img-src': optional(origins, 'Allowed origins for images.'),
  'media-src': optional(origins, 'Allowed origins for video and audio.'),
  'font-src': optional(origins, 'Allowed origins for fonts.'),
})
