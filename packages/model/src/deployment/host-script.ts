/**
 * The path of the script that the host adds to each page. A deployment is immutable and must work
 * with future versions of the service. Therefore all code that calls the service (assistant,
 * feedback, events, the preview bar) is loaded by the service's script at this fixed path, never by
 * a script of the deployment.
 */
export const HOST_SCRIPT_PATH = '_octavo/host.js'

/**
 * The default file at this path, for hosts that serve no other script. It is not listed in the
 * manifest.
 */
export const PLAIN_HOST_SCRIPT = '// octavo-service serves another script here.\n'

/**
 * The path of the author's settings for the assistant. Only the service reads the file; it is not
 * served to readers.
 */
export const ASSISTANT_FILE_PATH = '_octavo/assistant.json'

/**
 * The path of the settings that docs.json defines, each with its line number. Only the service
 * reads the file; it is not served to readers.
 */
export const DOCS_SETTINGS_PATH = '_octavo/settings.json'

/** The name of the file in a documentation folder that lists questions and their pages. */
export const QUESTIONS_FILE = 'octavo-questions.jsonl'

/**
 * The path of these questions in a deployment. Only the service reads the file; it is not served to
 * readers.
 */
export const QUESTIONS_PATH = '_octavo/questions.jsonl'
