/**
 * The text of the theme itself. Translations are in `languages/`, one file each; where a
 * translation is missing, English is used.
 */
import { ASSISTANT_TEXT, type AssistantText } from './assistant-text.ts'
import { FEEDBACK_TEXT, type FeedbackText } from './feedback-text.ts'

export type InterfaceText = AssistantText &
  FeedbackText & {
    readonly skip: string
    readonly menu: string
    readonly search: string
    readonly searchEmpty: string
    readonly searchNothing: string
    readonly searchFailed: string
    readonly searchRetry: string
    readonly searchLoading: string
    readonly searchResults: string
    readonly searchAll: string
    readonly searchRecent: string
    readonly searchForget: string
    readonly searchChoose: string
    readonly searchOpen: string
    readonly searchClose: string
    readonly searchAsk: string
    readonly sections: string
    readonly pages: string
    readonly onThisPage: string
    readonly breadcrumbs: string
    readonly previous: string
    readonly next: string
    readonly lastModified: string
    readonly suggestEdit: string
    readonly reportProblem: string
    readonly deprecated: string
    readonly required: string
    readonly defaultValue: string
    readonly showMore: string
    readonly showLess: string
    readonly copy: string
    readonly download: string
    readonly openInCursor: string
    readonly example: string
    readonly nullable: string
    readonly filterByTag: string
    readonly views: string
    readonly links: string
    readonly language: string
    readonly version: string
    readonly request: string
    readonly response: string
    readonly notFound: string
    readonly notFoundHint: string
    readonly notFoundPages: string
    readonly home: string
    readonly codeLanguage: string
    readonly copied: string
    readonly enlarge: string
    readonly close: string
    /** The text of links that the hosting service adds to private sites. */
    readonly signIn: string
    readonly signOut: string
    /** Next to a request sample that `octavo test` has run, such as "Sample ran 3 days ago". */
    readonly sampleRan: string
    readonly sampleChanged: string
    readonly announcement: string
    readonly dismiss: string
    readonly theme: string
    readonly note: string
    readonly warning: string
    readonly info: string
    readonly tip: string
    readonly check: string
    readonly danger: string
    readonly pageMenu: string
    readonly copyPage: string
    readonly copyPageAbout: string
    readonly viewMarkdown: string
    readonly viewMarkdownAbout: string
    readonly downloadSpecification: string
    readonly savePdf: string
    readonly openIn: string
    readonly openInAbout: string
    readonly handOff: string
    readonly apiTry: string
    readonly apiServers: string
    readonly apiAuthorization: string
    readonly apiPath: string
    readonly apiQuery: string
    readonly apiHeaders: string
    readonly apiCookies: string
    readonly apiBody: string
    readonly apiOptional: string
    readonly apiCallbacks: string
    readonly apiResponses: string
    readonly apiLinks: string
    readonly apiMore: string
    readonly apiOneOf: string
    readonly apiAnyOf: string
    readonly apiToldApart: string
    readonly apiAlternatives: string
    readonly apiProperties: string
    readonly apiPropertiesOf: string
    readonly apiOption: string
    readonly apiNone: string
    readonly apiNoCredentials: string
    readonly apiScopes: string
    readonly apiKeyHint: string
    readonly apiBasicHint: string
    readonly apiTokenHint: string
    readonly apiCertificate: string
    readonly apiAlways: string
    readonly apiValues: string
    readonly apiValuesCount: string
    readonly apiMultiple: string
    readonly apiMinLength: string
    readonly apiMaxLength: string
    readonly apiExactLength: string
    readonly apiMinItems: string
    readonly apiMaxItems: string
    readonly apiExactItems: string
    readonly apiUnique: string
    readonly apiMinProperties: string
    readonly apiMaxProperties: string
    readonly apiMediaType: string
    readonly apiEncoding: string
    readonly apiMatches: string
    readonly apiCut: string
    readonly apiFailed: string
    readonly apiFindField: string
    readonly trySend: string
    readonly tryAnyway: string
    readonly tryCancel: string
    readonly tryEmpty: string
    readonly tryCode: string
    readonly tryCopyLink: string
    readonly tryNoSecrets: string
    readonly tryMisfits: string
    readonly tryServer: string
    readonly tryWay: string
    readonly tryKept: string
    readonly tryShow: string
    readonly tryUser: string
    readonly tryPassword: string
    readonly tryToken: string
    readonly tryClientId: string
    readonly tryClientSecret: string
    readonly tryOptionalSecret: string
    readonly trySignIn: string
    readonly tryGetToken: string
    readonly tryRedirect: string
    readonly tryWaiting: string
    readonly tryHasToken: string
    readonly tryNoToken: string
    readonly tryNoWindow: string
    readonly tryClosed: string
    readonly tryCertificate: string
    readonly tryCookie: string
    readonly tryMediaType: string
    readonly tryEditFields: string
    readonly tryEditJson: string
    readonly tryText: string
    readonly tryFile: string
    readonly tryFieldName: string
    readonly tryAddField: string
    readonly tryAddItem: string
    readonly tryRemoveItem: string
    readonly tryLine: string
    readonly tryNoJson: string
    readonly tryArriving: string
    readonly tryFrom: string
    readonly tryLong: string
    readonly tryDifferences: string
    readonly tryWhole: string
    readonly tryNoStatus: string
    readonly tryNoType: string
    readonly tryFits: string
    readonly tryMore: string
    readonly tryCancelled: string
    readonly tryNoAnswer: string
    readonly tryFailed: string
    readonly tryNever: string
    readonly tryShouldBe: string
    readonly tryIsType: string
    readonly tryMissing: string
    readonly tryUnknown: string
    readonly tryNoChoice: string
  }

export const ENGLISH: InterfaceText = {
  skip: 'Skip to content',
  menu: 'Menu',
  search: 'Search',
  searchEmpty: 'Type to search titles, headings, text, and API operations.',
  searchNothing: 'No results for “{query}”.',
  searchFailed: 'Search could not be loaded.',
  searchRetry: 'Try again',
  searchLoading: 'Searching…',
  searchResults: 'Results',
  searchAll: 'All',
  searchRecent: 'Recent searches',
  searchForget: 'Clear recent searches',
  searchChoose: 'to navigate',
  searchOpen: 'to open',
  searchClose: 'to close',
  searchAsk: 'Ask the assistant',
  sections: 'Sections',
  pages: 'Pages',
  onThisPage: 'On this page',
  breadcrumbs: 'Breadcrumbs',
  previous: 'Previous',
  next: 'Next',
  lastModified: 'Last modified on',
  suggestEdit: 'Suggest an edit',
  reportProblem: 'Report a problem',
  deprecated: 'Deprecated',
  required: 'required',
  defaultValue: 'Default',
  showMore: 'Show all',
  showLess: 'Show less',
  copy: 'Copy',
  download: 'Download',
  openInCursor: 'Open in Cursor',
  example: 'Example',
  nullable: 'nullable',
  filterByTag: 'Filter by tag',
  views: 'Views',
  links: 'Links',
  language: 'Language',
  version: 'Version',
  request: 'Request',
  response: 'Response',
  notFound: 'Page not found',
  notFoundHint: 'There is no page at this URL. It may have moved.',
  notFoundPages: 'Did you mean one of these pages?',
  home: 'Go to the home page',
  codeLanguage: 'Code language',
  copied: 'Copied',
  enlarge: 'Enlarge image',
  close: 'Close',
  announcement: 'Announcement',
  dismiss: 'Dismiss',
  theme: 'Switch between light and dark mode',
  note: 'Note',
  warning: 'Warning',
  info: 'Info',
  tip: 'Tip',
  check: 'Done',
  danger: 'Danger',
  pageMenu: 'Actions for this page',
  copyPage: 'Copy page',
  copyPageAbout: 'As Markdown, for an assistant',
  viewMarkdown: 'View as Markdown',
  viewMarkdownAbout: 'This page as plain text',
  downloadSpecification: 'Download the API specification',
  savePdf: 'Save as PDF',
  openIn: 'Open in {tool}',
  openInAbout: 'Ask questions about this page',
  handOff: 'Read {url}. I want to ask questions about it.',
  apiTry: 'Try it',
  apiServers: 'Servers',
  apiAuthorization: 'Authorization',
  apiPath: 'Path parameters',
  apiQuery: 'Query parameters',
  apiHeaders: 'Headers',
  apiCookies: 'Cookies',
  apiBody: 'Body',
  apiOptional: 'Optional.',
  apiCallbacks: 'Callbacks',
  apiResponses: 'Responses',
  apiLinks: 'Links',
  apiMore: 'Learn more',
  apiOneOf: 'One of these',
  apiAnyOf: 'Any of these',
  apiToldApart: 'distinguished by {name}',
  apiAlternatives: 'Alternatives',
  apiProperties: 'Properties',
  apiPropertiesOf: 'Properties of {name}',
  apiOption: 'Option {number}',
  apiNone: 'None',
  apiNoCredentials: 'No authentication required.',
  apiScopes: 'Scopes',
  apiKeyHint: 'Your API key.',
  apiBasicHint: 'Basic followed by username:password encoded as Base64.',
  apiTokenHint: 'Bearer followed by your token.',
  apiCertificate: 'A client certificate (mutual TLS).',
  apiAlways: 'Always',
  apiValues: 'One of',
  apiValuesCount: 'One of {count} values',
  apiMultiple: 'multiple of {value}',
  apiMinLength: 'at least {value} {value|character|characters}',
  apiMaxLength: 'at most {value} {value|character|characters}',
  apiExactLength: 'exactly {value} {value|character|characters}',
  apiMinItems: 'at least {value} {value|item|items}',
  apiMaxItems: 'at most {value} {value|item|items}',
  apiExactItems: 'exactly {value} {value|item|items}',
  apiUnique: 'unique items',
  apiMinProperties: 'at least {value} {value|property|properties}',
  apiMaxProperties: 'at most {value} {value|property|properties}',
  apiMediaType: 'media type {value}',
  apiEncoding: 'encoded as {value}',
  apiMatches: 'matches',
  apiCut: '{count} more characters in the specification',
  apiFailed: 'This could not be loaded. Close and reopen it to try again.',
  apiFindField: 'Find a field',
  trySend: 'Send',
  tryAnyway: 'Send anyway',
  tryCancel: 'Cancel',
  tryEmpty: 'The response appears here.',
  tryCode: 'Code',
  tryCopyLink: 'Copy link to this request',
  tryNoSecrets: 'without credentials',
  tryMisfits: 'Does not match the specification: {count}',
  tryServer: 'Server',
  tryWay: 'Authentication method',
  tryKept: 'Kept in this tab only',
  tryShow: 'Show',
  tryUser: 'Username',
  tryPassword: 'Password',
  tryToken: 'Token',
  tryClientId: 'Client ID',
  tryClientSecret: 'Client secret',
  tryOptionalSecret: 'Client secret (optional)',
  trySignIn: 'Sign in',
  tryGetToken: 'Get a token',
  tryRedirect: 'Redirect URL:',
  tryWaiting: 'Waiting for the response…',
  tryHasToken: 'Token received.',
  tryNoToken: 'Could not get a token: {reason}',
  tryNoWindow: 'The browser did not open the sign-in window.',
  tryClosed: 'The window was closed before sign-in was complete.',
  tryCertificate: 'Your browser offers its certificate automatically.',
  tryCookie:
    'A browser sends cookies to another host only if that host has set them. The code includes this cookie.',
  tryMediaType: 'Media type',
  tryEditFields: 'Edit fields',
  tryEditJson: 'Edit JSON',
  tryText: 'Body text',
  tryFile: 'file',
  tryFieldName: 'Name of the new field',
  tryAddField: 'Add field',
  tryAddItem: 'Add item',
  tryRemoveItem: 'Remove item {number}',
  tryLine: 'Line {line}',
  tryNoJson: 'Invalid JSON from here on.',
  tryArriving: 'receiving…',
  tryFrom: 'From {url}',
  tryLong: 'The response is too long to be shown in full.',
  tryDifferences: 'Differences from the specification: {count}',
  tryWhole: 'whole value',
  tryNoStatus: 'The specification does not describe the status {status}.',
  tryNoType: 'The specification does not describe a response of type {type}.',
  tryFits: 'Matches the specification.',
  tryMore: '{count} more',
  tryCancelled: 'Canceled.',
  tryNoAnswer:
    'No readable response. The server may be down, or it may not allow requests from other sites (CORS). The code sends the same request without a browser.',
  tryFailed: 'The request could not be sent: {reason}',
  tryNever: 'no value is allowed here',
  tryShouldBe: 'should be {wanted}',
  tryIsType: 'should be {wanted}, is {found}',
  tryMissing: 'is missing',
  tryUnknown: 'is not in the specification',
  tryNoChoice: 'matches none of the alternatives',

  signIn: 'Sign in',
  signOut: 'Sign out',
  sampleRan: 'Sample ran {time}',
  sampleChanged: 'Sample changed since it ran',
  ...ASSISTANT_TEXT,
  ...FEEDBACK_TEXT,
}

/** A translation; English is used where it is incomplete. */
export type Translation = Readonly<Partial<InterfaceText>>

/** Interface text by language, as returned by `loadLanguages`. */
export type InterfaceTexts = ReadonlyMap<string, InterfaceText>

/** Returns the interface text for a language code such as `ar` or `pt-BR`. */
export function interfaceText(language: string, texts: InterfaceTexts | undefined): InterfaceText {
  return texts?.get(language) ?? ENGLISH
}
