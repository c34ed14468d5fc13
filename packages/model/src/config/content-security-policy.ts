/** Hosts that pages may use beside those that Octavo finds in them. */
import { listOf, text } from '../schema/schema.ts'
import { optional, shape } from '../schema/shape.ts'

/** Nothing that could end a directive or begin another one, and no keyword that switches it off. */
const ORIGIN = /^(?:https|wss):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?$/

const origins = listOf(
  text({
    expected: 'an origin such as `https://cdn.example.com`',
    json: { pattern: ORIGIN.source },
    check: (value) => (ORIGIN.test(value) ? undefined : `is "${value}", which is not an origin`),
    hint: 'Write `https://` and the host in lower case, without a path; `https://*.example.com` for all below it.',
  }),
)

/** The names are those that a browser says in its console when it blocks something. */
export const contentSecurityPolicy = shape({
  'script-src': optional(origins, 'Where scripts may come from.'),
  'style-src': optional(origins, 'Where stylesheets may come from.'),
  'connect-src': optional(origins, 'What scripts may talk to.'),
  'frame-src': optional(origins, 'What may be shown in frames.'),
  'img-src': optional(origins, 'Where images may come from.'),
  'media-src': optional(origins, 'Where video and audio may come from.'),
  'font-src': optional(origins, 'Where fonts may come from.'),
})
