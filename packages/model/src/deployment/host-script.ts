/**
 * The script that the host adds to each page. A deployment is immutable and must work with future
 * versions of the service. So all code that calls the service (assistant, feedback, events, the
 * preview bar) is loaded by the service's script at this fixed path, never by a script of the
 * deployment.
 */
export const HOST_SCRIPT_PATH = '_octavo/host.js'

/** The default file at that path, for hosts without such a script. Not listed in the manifest. */
export const PLAIN_HOST_SCRIPT = '// octavo-service serves another script here.\n'

/** The author's settings for the assistant. Read only by the service and not served to readers. */
export const ASSISTANT_FILE_PATH = '_octavo/assistant.json'

/**
 * Settings that docs.json decides, with the line of each. Read only by the service and not served to
 * readers.
 */
export const DOCS_SETTINGS_PATH = '_octavo/settings.json'
