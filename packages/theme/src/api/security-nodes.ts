/**
 * Authentication methods and servers of an API ("API playground and specification details" 1–3).
 */
import type { PageNode } from '@octavo/content'
import {
  type OperationPage,
  type SecurityAlternative,
  type SecuritySchemeData,
  securityOf,
  serversOf,
} from '@octavo/openapi'
import type { InterfaceText } from '../words/interface-text.ts'
import { type ApiContext, component, element } from './api-context.ts'

type Text = (text: string | undefined) => readonly PageNode[]

export function serverNodes(page: OperationPage, context: ApiContext): readonly PageNode[] {
  const servers = serversOf(page, context)
  const isPlain = servers.length === 1 && servers[0]?.variables === undefined
  // A single server is already shown with the endpoint.
  if (servers.length === 0 || isPlain) return []
  const items = servers.map(({ url, description, variables }) =>
    element('li', {}, [
      element('code', {}, [url]),
      ...(description === undefined ? [] : [` ${description}`]),
      ...(variables === undefined
        ? []
        : [
            element(
              'ul',
              {},
              variables.map(({ name, default: value, values, description: about }) =>
                element('li', {}, [
                  element('code', {}, [name]),
                  ` ${value}`,
                  ...(values === undefined ? [] : [` (${values.join(', ')})`]),
                  ...(about === undefined ? [] : [` – ${about}`]),
                ]),
              ),
            ),
          ]),
    ]),
  )
  return [element('ul', { class: 'oct-servers' }, items)]
}

export function securityNodes(
  page: OperationPage,
  context: ApiContext,
  text: Text,
): readonly PageNode[] {
  const alternatives = securityOf(page, context)
  const { words } = context
  const fields = (alternative: SecurityAlternative) =>
    alternative.length === 0
      ? [element('p', {}, [words.apiNoCredentials])]
      : alternative.map(({ scheme, scopes }) => schemeField(scheme, scopes ?? [], context, text))
  const [first] = alternatives
  if (first === undefined) return []
  if (alternatives.length === 1) return fields(first)
  const tabs = alternatives.map((alternative) =>
    component('Tab', { title: titleOf(alternative, words) }, fields(alternative)),
  )
  return [
    element('p', { class: 'oct-choice' }, [words.apiOneOf]),
    component('Tabs', { sync: false }, tabs),
  ]
}

function titleOf(alternative: SecurityAlternative, words: InterfaceText): string {
  return alternative.length === 0
    ? words.apiNone
    : alternative.map(({ scheme }) => scheme).join(' & ')
}

function schemeField(
  name: string,
  scopes: readonly string[],
  { frame, words }: ApiContext,
  text: Text,
): PageNode {
  const scheme = frame.schemes.find((one) => one.name === name)
  if (scheme === undefined) return element('p', {}, [element('code', {}, [name])])
  const { place, key, about } = describeScheme(scheme, words)
  const props = {
    id: `authorization-${name}`,
    [place]: key,
    type: 'string',
    required: true,
  }
  return component('ResponseField', props, [
    ...(scheme.description === undefined ? [element('p', {}, [about])] : text(scheme.description)),
    ...(scopes.length === 0
      ? []
      : [
          element('p', { class: 'oct-facts' }, [
            `${words.apiScopes} `,
            ...scopes.map((scope) => element('code', {}, [scope])),
          ]),
        ]),
  ])
}

function describeScheme(
  { type, name, in: place = 'header', key, scheme }: SecuritySchemeData,
  words: InterfaceText,
) {
  if (type === 'apiKey') {
    const where = place === 'query' || place === 'cookie' ? place : 'header'
    return { place: where, key: key ?? name, about: words.apiKeyHint }
  }
  const header = { place: 'header', key: 'Authorization' }
  if (type === 'http' && scheme === 'basic') return { ...header, about: words.apiBasicHint }
  if (type === 'http' && scheme !== 'bearer') return { ...header, about: `HTTP ${scheme ?? ''}.` }
  if (type === 'oauth2') return { ...header, about: `OAuth 2: ${words.apiTokenHint}` }
  if (type === 'openIdConnect') return { ...header, about: `OpenID Connect: ${words.apiTokenHint}` }
  if (type === 'mutualTLS') return { ...header, about: words.apiCertificate }
  return { ...header, about: words.apiTokenHint }
}
