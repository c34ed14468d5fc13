/**
 * Returns the environment variables of a service whose model is a bench server, with limits that
 * the bench does not reach.
 */
export const modelEnvironment = (url: string) => ({
  OCTAVO_ASSISTANT_URL: url,
  OCTAVO_ASSISTANT_MODEL: 'scripted',
  OCTAVO_ASSISTANT_TOOLS: 'false',
  OCTAVO_ASSISTANT_CONTEXT_TOKENS: '8000',
  OCTAVO_ASSISTANT_TOKENS_PER_DAY: '1000000000',
  OCTAVO_TRUSTED_PROXIES: '127.0.0.1',
})
