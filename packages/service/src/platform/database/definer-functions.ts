/**
 * Lists every database function that runs with the privileges of its owner instead of its caller
 * (`security definer`), and the reason. A test compares the list with the database catalog.
 *
 * All of them have `set search_path = pg_catalog, public, pg_temp`. Otherwise PostgreSQL would look
 * up tables among the caller's temporary tables first, and a trigger on such a table would run with
 * the privileges of the function.
 */
type DefinerGroup = {
  readonly reason: string
  readonly functions: readonly string[]
}

/**
 * Functions that the role octavo_definer owns. The privileges of this role are granted at the end
 * of migrations/0001-schema.sql.
 */
const OF_DEFINER: readonly DefinerGroup[] = [
  {
    reason: 'Look up ids before the tenant or the person is known.',
    functions: [
      'find_api_key',
      'find_changed_sites',
      'find_webhook',
      'find_installed_projects',
      'find_invitation',
      'find_member_site',
      'find_memberships',
      'find_organization_role',
      'find_passkey',
      'find_project',
      'find_project_role',
      'find_readers',
      'find_served_domains',
      'find_session',
      'find_site',
    ],
  },
  {
    reason: 'Find the ids of projects with pending work, for all tenants.',
    functions: [
      'find_erasable_projects',
      'find_expired_projects',
      'find_gap_work',
      'find_idle_builds',
      'find_notice_work',
      'find_open_questions',
      'find_uncollected_projects',
      'find_unreported_projects',
      'find_vector_work',
      'take_due_checks',
      'take_due_domains',
    ],
  },
  {
    reason: 'Count or measure data of all tenants together, for the operator.',
    functions: [
      'clock_ahead_ms',
      'count_certificates',
      'count_peppers',
      'count_used_budgets',
      'find_secret_keys',
    ],
  },
  {
    reason: 'Compare the keys of a process with the keys that were used with the database before.',
    functions: ['find_key_check', 'store_key_check'],
  },
  {
    reason: 'Delete or end expired rows of all tenants.',
    functions: [
      'erase_organizations',
      'expire_previews',
      'expire_uploads',
      'forget_action_counts',
      'forget_domains',
      'forget_webhook_deliveries',
      'forget_job_tokens',
      'forget_readers',
      'forget_sessions',
      'forget_sign_ins',
      'forget_visitors',
      'retire_deployments',
    ],
  },
  {
    reason: 'Store the counts and lookups that a process collected for many tenants.',
    functions: [
      'add_traffic',
      'note_key_uses',
      'note_reader_token_uses',
      'rehash_readers',
      'store_events',
      'store_visitors',
      'visitor_salt',
    ],
  },
  {
    reason: 'Ask whether any tenant has a file before it is deleted from the store.',
    functions: ['claim_blobs', 'find_deleted_blobs', 'release_blobs', 'take_over_claims'],
  },
  {
    reason: 'Sign a person in: no session exists yet, and codes and links belong to no tenant.',
    functions: [
      'accept_invitation',
      'add_device_request',
      'add_setup_link',
      'add_sign_in_code',
      'admit_by_email',
      'apply_group_roles',
      'count_sign_in',
      'decide_device_request',
      'has_users',
      'join_by_invitation',
      'lock_verified',
      'log_person_event',
      'log_refused_sign_in',
      'may_sign_in_by_email',
      'poll_device_request',
      'read_device_request',
      'read_mailed_link',
      'read_sign_in_link',
      'set_up',
      'sign_in_by_email',
      'sign_in_by_identity',
      'sign_in_tries',
      'spend_login_link',
      'spend_mailed_link',
      'spend_once',
      'spend_recovery_code',
      'try_sign_in_code',
      'verify_address',
    ],
  },
  {
    reason: 'Change a project together with another tenant: the holder of a name, or a new owner.',
    functions: ['claim_domain', 'prove_domain', 'remove_domain', 'transfer_project'],
  },
  {
    reason: 'Delete a project after checking the role of the caller in the organization.',
    functions: ['delete_project'],
  },
  {
    reason: 'Triggers that read or write what the caller cannot see.',
    functions: [
      'count_added_storage',
      'count_removed_storage',
      'keep_slug',
      'refuse_moving',
      'refuse_unverified',
    ],
  },
]

/**
 * Functions that the owner of the tables owns. None of them takes a name or any other text as an
 * argument.
 */
const OF_OWNER: readonly DefinerGroup[] = [
  {
    reason: 'Create and drop partitions, which only the owner of a table can.',
    functions: ['drop_partitions', 'ensure_partitions'],
  },
  {
    reason: 'Delete a project from every table, including tables that are added later.',
    functions: ['erase_project'],
  },
]

const namesOf = (groups: readonly DefinerGroup[]) =>
  groups.flatMap(({ functions }) => functions).toSorted()

export const DEFINER_FUNCTIONS = namesOf(OF_DEFINER)
export const OWNER_FUNCTIONS = namesOf(OF_OWNER)
