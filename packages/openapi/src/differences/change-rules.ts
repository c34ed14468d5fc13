/**
 * The rules by which changes of an API are classified. A request may accept more but never less,
 * and a response may promise more but never less.
 *
 * breaking       a client that worked before may fail
 * additive       clients work as before
 * documentation  only texts and examples differ
 */
export const CHANGE_LEVELS = ['breaking', 'additive', 'documentation'] as const
export type ChangeLevel = (typeof CHANGE_LEVELS)[number]

type Rule = {
  /** The level in a request and in a response. */
  readonly levels: readonly [request: ChangeLevel, response: ChangeLevel]
  readonly about: string
}

const always = (level: ChangeLevel, about: string): Rule => ({ levels: [level, level], about })
/** A change that accepts or promises fewer values. */
const narrower = (about: string): Rule => ({ levels: ['breaking', 'additive'], about })
/** A change that accepts or allows more values. */
const wider = (about: string): Rule => ({ levels: ['additive', 'breaking'], about })

export const CHANGE_RULES = {
  'operation-added': always('additive', 'A new operation or webhook.'),
  'operation-removed': always('breaking', 'An operation or webhook was removed.'),
  'deprecated-removed': always(
    'additive',
    'An operation, parameter or property was removed that was deprecated before.',
  ),
  'parameter-added': always('additive', 'A new optional parameter.'),
  'parameter-added-required': always('breaking', 'A new required parameter.'),
  'parameter-removed': always('breaking', 'A parameter was removed.'),
  'parameter-required': always('breaking', 'An optional parameter became required.'),
  'parameter-optional': always('additive', 'A required parameter became optional.'),
  'parameter-style': always('breaking', 'A parameter is written in another way.'),
  'body-added': always('additive', 'A new optional request body.'),
  'body-added-required': always('breaking', 'A new required request body.'),
  'body-removed': always('breaking', 'A request body was removed.'),
  'body-required': always('breaking', 'An optional request body became required.'),
  'body-optional': always('additive', 'A required request body became optional.'),
  'media-type-added': always('additive', 'A new media type.'),
  'media-type-removed': always('breaking', 'A media type was removed.'),
  'response-added': always('additive', 'A new response.'),
  'response-removed': always('breaking', 'The response of a success status was removed.'),
  'error-response-removed': always('additive', 'The response of an error status was removed.'),
  'header-added': always('additive', 'A new header of a response.'),
  'header-removed': always('breaking', 'A header of a response was removed.'),
  'header-optional': always('breaking', 'A required header of a response became optional.'),
  'header-required': always('additive', 'An optional header of a response became required.'),
  'security-stricter': always('breaking', 'A way to authenticate was removed, or needs more.'),
  'security-added': always('additive', 'A new way to authenticate, or one that needs less.'),
  'security-scheme-changed': always('breaking', 'A security scheme works in another way.'),
  'type-changed': always('breaking', 'A value has another type.'),
  'type-narrowed': narrower('A value has fewer types.'),
  'type-widened': wider('A value has more types.'),
  'null-refused': narrower('A value can no longer be `null`.'),
  'null-allowed': wider('A value can now be `null`.'),
  'value-removed': narrower('An enum lists fewer values, or a value became an enum.'),
  'value-added': wider('An enum lists more values, or a value is no longer an enum.'),
  'limit-narrowed': narrower('A limit, a pattern or a format allows less, or is new.'),
  'limit-widened': wider('A limit, a pattern or a format allows more, or was removed.'),
  'limit-changed': always('breaking', 'A pattern, a format or a condition is another one.'),
  'property-added': always('additive', 'A new property; in a request, it is optional.'),
  'property-added-required': narrower('A new required property.'),
  'property-removed': always('breaking', 'A property was removed.'),
  'property-required': narrower('An optional property became required.'),
  'property-optional': wider('A required property became optional.'),
  'additional-refused': narrower('Other properties are no longer allowed.'),
  'additional-allowed': always('additive', 'Other properties are now allowed.'),
  'option-removed': narrower('`oneOf` or `anyOf` has fewer options.'),
  'option-added': wider('`oneOf` or `anyOf` has more options.'),
  'discriminator-changed': always('breaking', 'Another property chooses the option.'),
  'default-changed': always('additive', 'A value has another default.'),
  deprecated: always('documentation', 'Something became deprecated, or no longer is.'),
  described: always(
    'documentation',
    'A title, description, summary, tag, server or operationId differs.',
  ),
  'example-changed': always('documentation', 'An example differs.'),
} as const satisfies Readonly<Record<string, Rule>>

export type ChangeRule = keyof typeof CHANGE_RULES
