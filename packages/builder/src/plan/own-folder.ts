/** Everything of ours that is not a page. */
export const OWN_FOLDER = '_octavo'
