-- Written by `npm test -- -u` from the migrated database. Review the changes in the diff.

create table action_count (
  project_id bigint not null,
  action text not null,
  began_at timestamp with time zone not null,
  used integer not null
);
create table api_comparison (
  project_id bigint not null,
  deployment_id text not null,
  base_id text,
  created_at timestamp with time zone not null default now(),
  result jsonb
);
create table api_key (
  project_id bigint not null,
  id bigint not null default random_id(),
  kind text not null,
  token_hash bytea not null,
  last_four text not null,
  name text not null default ''::text,
  scopes text[] not null,
  allowed_from cidr[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by text,
  replaces bigint,
  idempotency_key text,
  pepper_id text not null
);
create table app_user (
  id bigint not null default random_id(),
  public_id text not null,
  email text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  verified_at timestamp with time zone,
  made_by_link boolean not null default false
);
create table assistant (
  project_id bigint not null,
  is_on boolean not null default true,
  masks boolean not null default true,
  model jsonb,
  tokens_per_day bigint,
  tokens_per_month bigint,
  updated_at timestamp with time zone not null default now(),
  needs_proof boolean not null default false,
  asks_in_previews boolean not null default false
);
create table assistant_usage (
  project_id bigint not null,
  day date not null,
  questions integer not null default 0,
  cached integer not null default 0,
  reserved_tokens bigint not null default 0,
  used_tokens bigint not null default 0,
  saved_tokens bigint not null default 0
);
create table audit_event (
  organization_id bigint not null,
  id bigint not null default random_id(),
  project_id bigint,
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  action text not null,
  object text not null default ''::text,
  before jsonb,
  after jsonb,
  address_prefix text,
  request_id text
);
create table backfill (
  project_id bigint not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  first_id text not null,
  last_id text not null,
  conversation_count integer not null
);
create table build (
  project_id bigint not null,
  id text not null,
  number bigint not null,
  target text not null,
  ref text not null,
  commit_sha text not null,
  message text,
  author text,
  pull_request integer,
  is_fork boolean not null default false,
  trigger text not null,
  state text not null default 'queued'::text,
  reason text,
  attempts integer not null default 0,
  is_cancel_requested boolean not null default false,
  preview_name text,
  deployment_id text,
  error_count integer not null default 0,
  warning_count integer not null default 0,
  diagnostics jsonb not null default '[]'::jsonb,
  unread_files bytea,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  reported_state text,
  report_error text,
  is_announced boolean not null default false
);
create table build_cache (
  project_id bigint not null,
  sha256 bytea not null,
  size bigint not null,
  saved_at timestamp with time zone not null default now()
);
create table build_log (
  project_id bigint not null,
  build_id text not null,
  line integer not null,
  at timestamp with time zone not null default clock_timestamp(),
  text text not null
);
create table connection (
  project_id bigint not null,
  provider text not null,
  url text not null,
  credential text not null default 'none'::text,
  branch text,
  folder text not null default ''::text,
  previews boolean not null default true,
  forks boolean not null default true,
  webhook_id text not null,
  installation_id bigint,
  refresh_minutes integer,
  refreshed_at timestamp with time zone,
  checked_at timestamp with time zone,
  check_error text,
  check_failures integer not null default 0,
  attempted_at timestamp with time zone,
  failed_step text,
  failed_since timestamp with time zone,
  git_said text,
  has_docs_json boolean,
  url_since timestamp with time zone not null default now(),
  pulls_listed_at timestamp with time zone,
  next_check_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  is_private boolean
);
create table conversation (
  project_id bigint not null,
  id text not null,
  recorded_at timestamp(3) with time zone not null,
  query text not null,
  response text not null,
  sources json not null,
  resolution_status text not null,
  query_category text,
  thread_id text,
  page_url text,
  reader text
) RANGE (id);
create table conversation_day (
  project_id bigint not null,
  day date not null,
  answered integer not null default 0,
  unanswered integer not null default 0,
  helpful integer not null default 0,
  unhelpful integer not null default 0
);
create table conversation_detail (
  project_id bigint not null,
  id text not null,
  reason text,
  deployment_id text,
  model text,
  used_tokens bigint not null default 0,
  is_cached boolean not null default false,
  nearest json
) RANGE (id);
create table conversation_feedback (
  project_id bigint not null,
  id text not null,
  at timestamp with time zone not null default clock_timestamp(),
  is_helpful boolean not null,
  reason text,
  note text
) RANGE (id);
create table conversation_sequence (
  project_id bigint not null,
  last_ms bigint not null default 0,
  last_counter integer not null default 0
);
create table deleted_blob (
  sha256 bytea not null,
  claimed_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone
);
create table deployment (
  project_id bigint not null,
  id text not null,
  number bigint not null,
  state text not null default 'uploading'::text,
  is_draft boolean not null default false,
  branch text,
  message text,
  commit_sha text,
  idempotency_key text,
  root bytea not null,
  file_count integer,
  byte_count bigint,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  published_at timestamp with time zone,
  superseded_at timestamp with time zone,
  collected_at timestamp with time zone,
  target text not null default 'production'::text
);
create table deployment_vectors (
  project_id bigint not null,
  deployment_id text not null,
  model text not null,
  sha256 bytea,
  try_after timestamp with time zone,
  passages integer not null,
  embedded integer not null,
  changed_at timestamp with time zone not null default now()
);
create table device_request (
  device_hash bytea not null,
  code_hash bytea not null,
  device text not null,
  address_prefix text,
  user_id bigint,
  is_denied boolean not null default false,
  polled_at timestamp with time zone,
  expires_at timestamp with time zone not null
);
create table domain_claim (
  project_id bigint not null,
  name text not null,
  token text not null,
  state text not null default 'waiting'::text,
  redirects boolean not null default false,
  checks jsonb,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone,
  missing_since timestamp with time zone,
  ended_at timestamp with time zone,
  next_check_at timestamp with time zone not null default now()
);
create table erased_conversation (
  project_id bigint not null,
  id text not null
);
create table event_batch (
  host uuid not null,
  sequence bigint not null,
  at timestamp with time zone not null default now()
);
create table event_day (
  project_id bigint not null,
  day date not null,
  event text not null,
  subject text not null,
  detail text not null,
  count bigint not null,
  last_at timestamp with time zone not null
) RANGE (day);
create table event_hour (
  project_id bigint not null,
  hour timestamp with time zone not null,
  event text not null,
  subject text not null,
  detail text not null,
  count bigint not null
) RANGE (hour);
create table feedback (
  project_id bigint not null,
  id text not null,
  key uuid not null,
  source text not null,
  path text not null,
  helpful boolean,
  comment text,
  contact text,
  code text,
  filename text,
  lang text,
  status text not null default 'pending'::text,
  created_at timestamp with time zone not null default now()
);
create table gap (
  project_id bigint not null,
  id text not null,
  state text not null default 'open'::text,
  linked_page text,
  open_deployment_id text,
  checked_deployment_id text,
  closed_deployment_id text,
  section_url text,
  section_sha256 text,
  verified_by text,
  model_deployment_id text,
  changed_at timestamp with time zone not null default now(),
  has_words boolean not null default true,
  question_count integer not null default 0,
  last_conversation_id text not null default ''::text
);
create table gap_change (
  project_id bigint not null,
  id text not null,
  action text not null,
  at timestamp with time zone not null default now(),
  before jsonb not null,
  undone_at timestamp with time zone
);
create table gap_conversation (
  project_id bigint not null,
  conversation_id text not null,
  gap_id text not null
);
create table gap_forecast (
  project_id bigint not null,
  deployment_id text not null,
  at timestamp with time zone not null default now(),
  open_count integer not null,
  likely_ids text[] not null,
  lost_ids text[] not null,
  answers jsonb,
  reader_answers jsonb
);
create table gap_work (
  project_id bigint not null,
  since timestamp with time zone not null default clock_timestamp()
);
create table git_ref (
  project_id bigint not null,
  name text not null,
  commit_sha text not null,
  built_sha text,
  is_production boolean not null default false,
  pull_request integer,
  pull_url text,
  is_fork boolean not null default false,
  comment_id text,
  comment_key text,
  seen_at timestamp with time zone not null default now()
);
create table import_receipt (
  project_id bigint not null,
  question_id text not null,
  conversation_id text not null,
  at timestamp with time zone not null default clock_timestamp()
);
create table invitation (
  organization_id bigint not null,
  id bigint not null default random_id(),
  token_hash bytea not null,
  email text not null,
  project_id bigint,
  role text not null,
  invited_by text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null
);
create table key_check (
  name text not null,
  value text not null
);
create table membership (
  organization_id bigint not null,
  id bigint not null default random_id(),
  user_id bigint not null,
  project_id bigint,
  role text not null,
  created_at timestamp with time zone not null default now(),
  granted_by text
);
create table notice (
  project_id bigint not null,
  kind text not null,
  subject text not null,
  facts jsonb not null,
  at timestamp with time zone not null default now(),
  is_webhook_sent boolean not null default false,
  mailed text[] not null default '{}'::text[],
  mail_count integer not null default 0,
  delivered_at timestamp with time zone
);
create table notice_work (
  project_id bigint not null,
  since timestamp with time zone not null default now()
);
create table organization (
  id bigint not null default random_id(),
  public_id text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  storage_bytes_max bigint,
  deleted_at timestamp with time zone
);
create table passkey (
  user_id bigint not null,
  id bigint not null default random_id(),
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  name text not null,
  is_synced boolean not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone
);
create table preview (
  project_id bigint not null,
  name text not null,
  branch text not null,
  deployment_id text not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  runs_scripts boolean not null default true
);
create table project (
  organization_id bigint not null,
  id bigint not null default random_id(),
  public_id text not null,
  slug text not null,
  name text not null,
  settings jsonb not null default '{}'::jsonb,
  protection text not null default 'public'::text,
  retention_days integer not null default 730,
  created_at timestamp with time zone not null default now(),
  suspended_reason text,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  moving_since timestamp with time zone
);
create table project_blob (
  project_id bigint not null,
  sha256 bytea not null,
  size bigint not null,
  stored_at timestamp with time zone not null default now()
);
create table project_slug (
  project_id bigint not null,
  slug text not null,
  since timestamp with time zone not null default now()
);
create table publication (
  project_id bigint not null,
  deployment_id text,
  last_number bigint not null default 0,
  lock_reason text,
  changed_at timestamp with time zone not null default clock_timestamp()
);
create table question (
  project_id bigint not null,
  id text not null,
  query text,
  thread_id text,
  page_url text,
  reader text,
  conversation_id text,
  deployment_id text,
  lease text,
  leased_until timestamp with time zone,
  saved_text text,
  reserved_tokens bigint not null default 0,
  reserved_on date
) RANGE (id);
create table reader_session (
  project_id bigint not null,
  token_hash bytea not null,
  way text not null,
  host text,
  epoch integer not null,
  groups text[] not null default '{}'::text[],
  user_id bigint,
  id text,
  name text,
  created_at timestamp with time zone not null default now(),
  created_by text,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  pepper_id text not null
);
create table recovery_code (
  user_id bigint not null,
  id bigint not null default random_id(),
  code_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  pepper_id text not null,
  saved_at timestamp with time zone
);
create table sample_proof (
  project_id bigint not null,
  deployment_id text not null,
  sent_at timestamp with time zone not null default now(),
  ran_at timestamp with time zone not null,
  octavo text not null,
  runtimes text[] not null,
  passed integer not null,
  failed integer not null,
  not_run integer not null,
  pages jsonb not null
);
create table secret (
  project_id bigint not null,
  name text not null,
  key_id text not null,
  sealed bytea not null,
  updated_at timestamp with time zone not null default now()
);
create table sign_in_code (
  browser_hash bytea not null,
  code_hash bytea not null,
  link_hash bytea not null,
  email text not null,
  next_path text not null,
  tries_left integer not null,
  expires_at timestamp with time zone not null
);
create table sign_in_count (
  key_hash bytea not null,
  began_at timestamp with time zone not null,
  used integer not null
);
create table sign_in_link (
  token_hash bytea not null,
  kind text not null,
  user_id bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null
);
create table site_access (
  project_id bigint not null,
  epoch integer not null default 0,
  previews text not null default 'default'::text,
  session_hours integer not null default 168,
  password_hash text,
  password_set_at timestamp with time zone,
  mode_set_at timestamp with time zone,
  oidc jsonb,
  jwt jsonb
);
create table storage_usage (
  organization_id bigint not null,
  bytes bigint not null
);
create table traffic (
  project_id bigint not null,
  day date not null,
  requests bigint not null,
  bytes bigint not null
);
create table unsorted_question (
  project_id bigint not null,
  conversation_id text not null
);
create table used_token (
  token_hash bytea not null,
  expires_at timestamp with time zone not null
);
create table user_identity (
  user_id bigint not null,
  id bigint not null default random_id(),
  issuer text not null,
  subject text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now()
);
create table user_session (
  user_id bigint not null,
  id bigint not null default random_id(),
  token_hash bytea not null,
  kind text not null,
  device text not null default ''::text,
  address_prefix text,
  created_at timestamp with time zone not null default now(),
  authenticated_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  pepper_id text not null
);
create table visitor_salt (
  day date not null,
  salt bytea not null
);
create table visitor_set (
  project_id bigint not null,
  day date not null,
  subject text not null,
  detail text not null,
  hashes bigint[] not null
);
create table webhook_delivery (
  project_id bigint not null,
  id bigint not null generated always as identity,
  delivery_id text,
  received_at timestamp with time zone not null default now(),
  event text,
  ref text,
  status integer not null,
  reason text,
  headers jsonb not null,
  body text not null
);

alter table action_count add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table action_count add PRIMARY KEY (project_id, action);
alter table api_comparison add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table api_comparison add PRIMARY KEY (project_id, deployment_id);
alter table api_key add CHECK ((kind = ANY (ARRAY['admin'::text, 'deploy'::text])));
alter table api_key add CHECK ((length(idempotency_key) <= 200));
alter table api_key add CHECK ((length(pepper_id) <= 20));
alter table api_key add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table api_key add PRIMARY KEY (project_id, id);
alter table api_key add UNIQUE (token_hash);
alter table app_user add CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))));
alter table app_user add CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table app_user add CHECK ((public_id ~ '^usr_[0-9a-z]{16}$'::text));
alter table app_user add PRIMARY KEY (id);
alter table app_user add UNIQUE (email);
alter table app_user add UNIQUE (public_id);
alter table assistant add CHECK ((tokens_per_day >= 0));
alter table assistant add CHECK ((tokens_per_month >= 0));
alter table assistant add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table assistant add PRIMARY KEY (project_id);
alter table assistant_usage add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table assistant_usage add PRIMARY KEY (project_id, day);
alter table audit_event add FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
alter table audit_event add PRIMARY KEY (organization_id, id);
alter table backfill add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table backfill add PRIMARY KEY (project_id, id);
alter table build add CHECK (((length(commit_sha) >= 40) AND (length(commit_sha) <= 64)));
alter table build add CHECK (((length(ref) >= 1) AND (length(ref) <= 250)));
alter table build add CHECK ((length(author) <= 200));
alter table build add CHECK ((length(message) <= 1000));
alter table build add CHECK ((length(preview_name) <= 63));
alter table build add CHECK ((length(reason) <= 2000));
alter table build add CHECK ((length(report_error) <= 2000));
alter table build add CHECK ((state = ANY (ARRAY['queued'::text, 'fetching'::text, 'building'::text, 'uploading'::text, 'finished'::text, 'failed'::text, 'skipped'::text, 'superseded'::text, 'cancelled'::text])));
alter table build add CHECK ((target = ANY (ARRAY['production'::text, 'preview'::text])));
alter table build add CHECK ((trigger = ANY (ARRAY['webhook'::text, 'check'::text, 'api'::text, 'schedule'::text, 'retry'::text])));
alter table build add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table build add FOREIGN KEY (project_id, deployment_id) REFERENCES deployment(project_id, id);
alter table build add PRIMARY KEY (project_id, id);
alter table build_cache add CHECK ((length(sha256) = 32));
alter table build_cache add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table build_cache add PRIMARY KEY (project_id);
alter table build_log add CHECK ((length(text) <= 4000));
alter table build_log add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table build_log add FOREIGN KEY (project_id, build_id) REFERENCES build(project_id, id) ON DELETE CASCADE;
alter table build_log add PRIMARY KEY (project_id, build_id, line);
alter table connection add CHECK (((length(branch) >= 1) AND (length(branch) <= 250)));
alter table connection add CHECK (((length(webhook_id) >= 20) AND (length(webhook_id) <= 64)));
alter table connection add CHECK (((refresh_minutes >= 5) AND (refresh_minutes <= 44640)));
alter table connection add CHECK ((credential = ANY (ARRAY['none'::text, 'token'::text, 'ssh-key'::text, 'github-app'::text])));
alter table connection add CHECK ((failed_step = ANY (ARRAY['reachable'::text, 'access'::text, 'branch'::text])));
alter table connection add CHECK ((length(check_error) <= 2000));
alter table connection add CHECK ((length(folder) <= 500));
alter table connection add CHECK ((length(git_said) <= 500));
alter table connection add CHECK ((length(url) <= 2000));
alter table connection add CHECK ((provider = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text, 'git'::text])));
alter table connection add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table connection add PRIMARY KEY (project_id);
alter table connection add UNIQUE (webhook_id);
alter table conversation add CHECK ((resolution_status = ANY (ARRAY['answered'::text, 'unanswered'::text])));
alter table conversation add PRIMARY KEY (project_id, id);
alter table conversation_day add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table conversation_day add PRIMARY KEY (project_id, day);
alter table conversation_detail add CHECK ((reason = ANY (ARRAY['declared'::text, 'no-sources'::text, 'low-support'::text, 'stopped'::text, 'budget'::text, 'provider-error'::text, 'interrupted'::text])));
alter table conversation_detail add PRIMARY KEY (project_id, id);
alter table conversation_feedback add CHECK ((length(note) <= 1000));
alter table conversation_feedback add CHECK ((length(reason) <= 50));
alter table conversation_feedback add PRIMARY KEY (project_id, id);
alter table conversation_sequence add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table conversation_sequence add PRIMARY KEY (project_id);
alter table deleted_blob add PRIMARY KEY (sha256);
alter table deployment add CHECK (((target = 'production'::text) OR (branch IS NOT NULL)));
alter table deployment add CHECK ((length(branch) <= 250));
alter table deployment add CHECK ((length(commit_sha) <= 100));
alter table deployment add CHECK ((length(idempotency_key) <= 200));
alter table deployment add CHECK ((length(message) <= 1000));
alter table deployment add CHECK ((length(root) = 32));
alter table deployment add CHECK ((state = ANY (ARRAY['uploading'::text, 'ready'::text, 'failed'::text, 'cancelled'::text, 'expired'::text, 'removed'::text])));
alter table deployment add CHECK ((target = ANY (ARRAY['production'::text, 'preview'::text])));
alter table deployment add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table deployment add PRIMARY KEY (project_id, id);
alter table deployment_vectors add CHECK (((length(model) >= 1) AND (length(model) <= 500)));
alter table deployment_vectors add CHECK ((length(sha256) = 32));
alter table deployment_vectors add FOREIGN KEY (project_id, deployment_id) REFERENCES deployment(project_id, id) ON DELETE CASCADE;
alter table deployment_vectors add PRIMARY KEY (project_id, deployment_id);
alter table device_request add CHECK ((length(device) <= 200));
alter table device_request add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table device_request add PRIMARY KEY (device_hash);
alter table device_request add UNIQUE (code_hash);
alter table domain_claim add CHECK ((((length(name) >= 4) AND (length(name) <= 253)) AND (name ~ '^[a-z0-9.-]+$'::text)));
alter table domain_claim add CHECK ((length(token) = 32));
alter table domain_claim add CHECK ((state = ANY (ARRAY['waiting'::text, 'active'::text, 'lapsed'::text, 'lost'::text, 'removed'::text])));
alter table domain_claim add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table domain_claim add PRIMARY KEY (project_id, name);
alter table erased_conversation add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table erased_conversation add PRIMARY KEY (project_id, id);
alter table event_batch add PRIMARY KEY (host);
alter table event_day add CHECK ((length(detail) <= 300));
alter table event_day add CHECK ((length(event) <= 20));
alter table event_day add CHECK ((length(subject) <= 300));
alter table event_day add PRIMARY KEY (project_id, event, day, subject, detail);
alter table event_hour add CHECK ((length(detail) <= 300));
alter table event_hour add CHECK ((length(event) <= 20));
alter table event_hour add CHECK ((length(subject) <= 300));
alter table event_hour add PRIMARY KEY (project_id, event, hour, subject, detail);
alter table feedback add CHECK ((length(code) <= 500));
alter table feedback add CHECK ((length(comment) <= 1000));
alter table feedback add CHECK ((length(contact) <= 200));
alter table feedback add CHECK ((length(filename) <= 100));
alter table feedback add CHECK ((length(lang) <= 100));
alter table feedback add CHECK ((length(path) <= 300));
alter table feedback add CHECK ((source = ANY (ARRAY['thumbs_only'::text, 'contextual'::text, 'code_snippet'::text, 'agent'::text])));
alter table feedback add CHECK ((status = ANY (ARRAY['pending'::text, 'in_progress'::text, 'resolved'::text, 'dismissed'::text])));
alter table feedback add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table feedback add PRIMARY KEY (project_id, id);
alter table gap add CHECK ((length(linked_page) <= 1000));
alter table gap add CHECK ((state = ANY (ARRAY['open'::text, 'linked'::text, 'likely'::text, 'verified'::text, 'dismissed'::text])));
alter table gap add CHECK ((verified_by = ANY (ARRAY['model'::text, 'owner'::text])));
alter table gap add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table gap add PRIMARY KEY (project_id, id);
alter table gap_change add CHECK ((action = ANY (ARRAY['link'::text, 'verify'::text, 'dismiss'::text, 'reopen'::text])));
alter table gap_change add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table gap_change add PRIMARY KEY (project_id, id);
alter table gap_conversation add FOREIGN KEY (project_id, gap_id) REFERENCES gap(project_id, id) ON DELETE CASCADE;
alter table gap_conversation add PRIMARY KEY (project_id, conversation_id);
alter table gap_forecast add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table gap_forecast add PRIMARY KEY (project_id, deployment_id);
alter table gap_work add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table gap_work add PRIMARY KEY (project_id);
alter table git_ref add CHECK (((length(built_sha) >= 40) AND (length(built_sha) <= 64)));
alter table git_ref add CHECK (((length(commit_sha) >= 40) AND (length(commit_sha) <= 64)));
alter table git_ref add CHECK (((length(name) >= 1) AND (length(name) <= 250)));
alter table git_ref add CHECK ((length(comment_id) <= 100));
alter table git_ref add CHECK ((length(comment_key) <= 100));
alter table git_ref add CHECK ((length(pull_url) <= 2000));
alter table git_ref add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table git_ref add PRIMARY KEY (project_id, name);
alter table import_receipt add CHECK (((length(question_id) >= 1) AND (length(question_id) <= 100)));
alter table import_receipt add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table import_receipt add PRIMARY KEY (project_id, question_id);
alter table invitation add CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))));
alter table invitation add CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'analyst'::text, 'viewer'::text])));
alter table invitation add FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
alter table invitation add FOREIGN KEY (organization_id, project_id) REFERENCES project(organization_id, id) ON DELETE CASCADE;
alter table invitation add PRIMARY KEY (organization_id, id);
alter table invitation add UNIQUE (token_hash);
alter table invitation add UNIQUE NULLS NOT DISTINCT (organization_id, email, project_id);
alter table key_check add PRIMARY KEY (name);
alter table membership add CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'analyst'::text, 'viewer'::text])));
alter table membership add FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
alter table membership add FOREIGN KEY (organization_id, project_id) REFERENCES project(organization_id, id) ON DELETE CASCADE;
alter table membership add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table membership add PRIMARY KEY (organization_id, id);
alter table membership add UNIQUE NULLS NOT DISTINCT (organization_id, user_id, project_id);
alter table notice add CHECK (((length(kind) >= 1) AND (length(kind) <= 50)));
alter table notice add CHECK (((length(subject) >= 1) AND (length(subject) <= 100)));
alter table notice add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table notice add PRIMARY KEY (project_id, kind, subject);
alter table notice_work add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table notice_work add PRIMARY KEY (project_id);
alter table organization add CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table organization add CHECK ((public_id ~ '^org_[0-9a-z]{16}$'::text));
alter table organization add CHECK ((storage_bytes_max >= 0));
alter table organization add PRIMARY KEY (id);
alter table organization add UNIQUE (public_id);
alter table passkey add CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023)));
alter table passkey add CHECK (((length(name) >= 1) AND (length(name) <= 100)));
alter table passkey add CHECK ((length(public_key) <= 4000));
alter table passkey add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table passkey add PRIMARY KEY (user_id, id);
alter table passkey add UNIQUE (credential_id);
alter table preview add CHECK (((length(branch) >= 1) AND (length(branch) <= 250)));
alter table preview add CHECK ((name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text));
alter table preview add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table preview add FOREIGN KEY (project_id, deployment_id) REFERENCES deployment(project_id, id);
alter table preview add PRIMARY KEY (project_id, name);
alter table project add CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table project add CHECK (((length(suspended_reason) >= 1) AND (length(suspended_reason) <= 1000)));
alter table project add CHECK (((retention_days >= 1) AND (retention_days <= 3660)));
alter table project add CHECK ((protection = ANY (ARRAY['public'::text, 'password'::text, 'members'::text, 'oidc'::text, 'jwt'::text])));
alter table project add CHECK ((public_id ~ '^prj_[0-9a-z]{16}$'::text));
alter table project add CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$'::text));
alter table project add FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
alter table project add PRIMARY KEY (organization_id, id);
alter table project add UNIQUE (id);
alter table project add UNIQUE (public_id);
alter table project add UNIQUE (slug);
alter table project_blob add CHECK ((length(sha256) = 32));
alter table project_blob add CHECK ((size >= 0));
alter table project_blob add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table project_blob add PRIMARY KEY (project_id, sha256);
alter table project_slug add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table project_slug add PRIMARY KEY (project_id, slug);
alter table project_slug add UNIQUE (slug);
alter table publication add CHECK (((length(lock_reason) >= 1) AND (length(lock_reason) <= 1000)));
alter table publication add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table publication add FOREIGN KEY (project_id, deployment_id) REFERENCES deployment(project_id, id);
alter table publication add PRIMARY KEY (project_id);
alter table question add PRIMARY KEY (project_id, id);
alter table reader_session add CHECK (((length(name) >= 1) AND (length(name) <= 100)));
alter table reader_session add CHECK (((way = 'members'::text) = (user_id IS NOT NULL)));
alter table reader_session add CHECK (((way = 'token'::text) = ((id IS NOT NULL) AND (name IS NOT NULL))));
alter table reader_session add CHECK (((way = 'token'::text) = (host IS NULL)));
alter table reader_session add CHECK ((cardinality(groups) <= 100));
alter table reader_session add CHECK ((length(created_by) <= 40));
alter table reader_session add CHECK ((length(host) <= 260));
alter table reader_session add CHECK ((length(id) <= 20));
alter table reader_session add CHECK ((length(pepper_id) <= 20));
alter table reader_session add CHECK ((length(token_hash) = 32));
alter table reader_session add CHECK ((way = ANY (ARRAY['password'::text, 'members'::text, 'oidc'::text, 'jwt'::text, 'token'::text])));
alter table reader_session add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table reader_session add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table reader_session add PRIMARY KEY (project_id, token_hash);
alter table recovery_code add CHECK ((length(pepper_id) <= 20));
alter table recovery_code add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table recovery_code add PRIMARY KEY (user_id, id);
alter table recovery_code add UNIQUE (user_id, code_hash);
alter table sample_proof add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table sample_proof add FOREIGN KEY (project_id, deployment_id) REFERENCES deployment(project_id, id);
alter table sample_proof add PRIMARY KEY (project_id, deployment_id);
alter table secret add CHECK (((length(name) >= 1) AND (length(name) <= 100)));
alter table secret add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table secret add PRIMARY KEY (project_id, name);
alter table sign_in_code add CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))));
alter table sign_in_code add CHECK ((length(next_path) <= 2000));
alter table sign_in_code add PRIMARY KEY (browser_hash);
alter table sign_in_code add UNIQUE (link_hash);
alter table sign_in_count add PRIMARY KEY (key_hash);
alter table sign_in_link add CHECK (((kind = 'setup'::text) = (user_id IS NULL)));
alter table sign_in_link add CHECK ((kind = ANY (ARRAY['setup'::text, 'login'::text])));
alter table sign_in_link add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table sign_in_link add PRIMARY KEY (token_hash);
alter table site_access add CHECK (((session_hours >= 1) AND (session_hours <= 720)));
alter table site_access add CHECK ((length((jwt)::text) <= 50000));
alter table site_access add CHECK ((length((oidc)::text) <= 10000));
alter table site_access add CHECK ((length(password_hash) <= 300));
alter table site_access add CHECK ((previews = ANY (ARRAY['default'::text, 'site'::text, 'members'::text])));
alter table site_access add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table site_access add PRIMARY KEY (project_id);
alter table storage_usage add FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
alter table storage_usage add PRIMARY KEY (organization_id);
alter table traffic add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table traffic add PRIMARY KEY (project_id, day);
alter table unsorted_question add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table unsorted_question add PRIMARY KEY (project_id, conversation_id);
alter table used_token add PRIMARY KEY (token_hash);
alter table user_identity add CHECK (((length(issuer) >= 1) AND (length(issuer) <= 2000)));
alter table user_identity add CHECK (((length(subject) >= 1) AND (length(subject) <= 255)));
alter table user_identity add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table user_identity add PRIMARY KEY (user_id, id);
alter table user_identity add UNIQUE (issuer, subject);
alter table user_session add CHECK ((kind = ANY (ARRAY['browser'::text, 'command-line'::text])));
alter table user_session add CHECK ((length(device) <= 200));
alter table user_session add CHECK ((length(pepper_id) <= 20));
alter table user_session add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;
alter table user_session add PRIMARY KEY (user_id, id);
alter table user_session add UNIQUE (token_hash);
alter table visitor_salt add PRIMARY KEY (day);
alter table visitor_set add CHECK ((cardinality(hashes) <= 512));
alter table visitor_set add CHECK ((length(detail) <= 20));
alter table visitor_set add CHECK ((length(subject) <= 300));
alter table visitor_set add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table visitor_set add PRIMARY KEY (project_id, day, subject, detail);
alter table webhook_delivery add CHECK ((length(body) <= 10000));
alter table webhook_delivery add CHECK ((length(delivery_id) <= 200));
alter table webhook_delivery add CHECK ((length(event) <= 100));
alter table webhook_delivery add CHECK ((length(reason) <= 2000));
alter table webhook_delivery add CHECK ((length(ref) <= 250));
alter table webhook_delivery add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;
alter table webhook_delivery add PRIMARY KEY (project_id, id);

CREATE INDEX api_comparison_due ON public.api_comparison USING btree (project_id, deployment_id) WHERE (result IS NULL);
CREATE INDEX api_key_created ON public.api_key USING btree (project_id, created_at, id);
CREATE INDEX api_key_expiring ON public.api_key USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX audit_event_at ON public.audit_event USING btree (organization_id, at);
CREATE INDEX audit_event_of_people ON public.audit_event USING btree (organization_id, at, id) WHERE (action ~ '^(member|sign-in)\.'::text);
CREATE INDEX audit_event_of_project ON public.audit_event USING btree (organization_id, project_id, at, id);
CREATE INDEX build_failed ON public.build USING btree (finished_at) WHERE ((state = 'failed'::text) AND (target = 'production'::text));
CREATE INDEX build_open ON public.build USING btree (project_id, number) WHERE (state = ANY (ARRAY['queued'::text, 'fetching'::text, 'building'::text, 'uploading'::text]));
CREATE INDEX build_ref ON public.build USING btree (project_id, ref, number);
CREATE INDEX build_settled ON public.build USING btree (project_id, number) WHERE ((target = 'production'::text) AND (state = ANY (ARRAY['finished'::text, 'failed'::text, 'skipped'::text])));
CREATE INDEX build_unannounced ON public.build USING btree (project_id) WHERE ((NOT is_announced) AND (state = ANY (ARRAY['failed'::text, 'superseded'::text])));
CREATE INDEX build_unreported ON public.build USING btree (project_id) WHERE (state IS DISTINCT FROM reported_state);
CREATE INDEX connection_next_check ON public.connection USING btree (next_check_at);
CREATE INDEX conversation_category ON ONLY public.conversation USING btree (project_id, query_category, id) WHERE (query_category IS NOT NULL);
CREATE INDEX conversation_feedback_kind ON ONLY public.conversation_feedback USING btree (project_id, is_helpful, id);
CREATE INDEX conversation_reader ON ONLY public.conversation USING btree (project_id, reader) WHERE (reader IS NOT NULL);
CREATE INDEX conversation_unanswered ON ONLY public.conversation USING btree (project_id, id) WHERE (resolution_status = 'unanswered'::text);
CREATE INDEX deployment_branch ON public.deployment USING btree (project_id, branch, id);
CREATE INDEX deployment_preview ON public.deployment USING btree (project_id, branch, number) WHERE (target = 'preview'::text);
CREATE INDEX deployment_published ON public.deployment USING btree (project_id, published_at) WHERE (published_at IS NOT NULL);
CREATE INDEX deployment_superseded ON public.deployment USING btree (project_id, superseded_at) WHERE (superseded_at IS NOT NULL);
CREATE INDEX deployment_uncollected ON public.deployment USING btree (finished_at) WHERE ((collected_at IS NULL) AND (finished_at IS NOT NULL));
CREATE INDEX deployment_uploading ON public.deployment USING btree (created_at) WHERE (state = 'uploading'::text);
CREATE INDEX domain_claim_due ON public.domain_claim USING btree (next_check_at) WHERE (state <> 'removed'::text);
CREATE INDEX domain_claim_ended ON public.domain_claim USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX domain_claim_name ON public.domain_claim USING btree (name);
CREATE INDEX gap_conversation_of_gap ON public.gap_conversation USING btree (project_id, gap_id, conversation_id);
CREATE INDEX gap_open ON public.gap USING btree (project_id) WHERE (state = 'open'::text);
CREATE INDEX import_receipt_at ON public.import_receipt USING btree (at);
CREATE INDEX membership_user ON public.membership USING btree (user_id);
CREATE INDEX notice_newest ON public.notice USING btree (project_id, at);
CREATE INDEX notice_undelivered ON public.notice USING btree (at) WHERE (delivered_at IS NULL);
CREATE INDEX organization_deleted ON public.organization USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX preview_branch ON public.preview USING btree (project_id, branch, expires_at);
CREATE INDEX preview_changed ON public.preview USING btree (changed_at);
CREATE INDEX preview_deployment ON public.preview USING btree (project_id, deployment_id);
CREATE INDEX preview_expires ON public.preview USING btree (expires_at);
CREATE INDEX project_blob_sha256 ON public.project_blob USING btree (sha256);
CREATE INDEX project_deleted ON public.project USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX publication_changed ON public.publication USING btree (changed_at);
CREATE INDEX question_open ON ONLY public.question USING btree (id) WHERE (conversation_id IS NULL);
CREATE INDEX question_reader ON ONLY public.question USING btree (project_id, reader) WHERE (reader IS NOT NULL);
CREATE INDEX reader_session_expires ON public.reader_session USING btree (expires_at);
CREATE INDEX reader_session_user ON public.reader_session USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX sign_in_code_email ON public.sign_in_code USING btree (email);
CREATE INDEX sign_in_count_began ON public.sign_in_count USING btree (began_at);
CREATE INDEX visitor_set_day ON public.visitor_set USING btree (day);
CREATE INDEX webhook_delivery_received ON public.webhook_delivery USING btree (received_at);
CREATE INDEX webhook_delivery_recent ON public.webhook_delivery USING btree (project_id, received_at);

create policy definer on action_count to octavo_definer using (true);
create policy one_project on action_count to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on api_comparison to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on api_key to octavo_definer using (true);
create policy one_project on api_key to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on app_user to octavo_definer using (true);
create policy one_user on app_user to octavo_app using (((id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint) OR (EXISTS ( SELECT
   FROM membership m
  WHERE ((m.user_id = app_user.id) AND (m.organization_id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint))))));
create policy definer on assistant to octavo_definer using (true);
create policy one_project on assistant to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on assistant_usage to octavo_definer using (true);
create policy one_project on assistant_usage to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on audit_event to octavo_definer using (true);
create policy one_organization on audit_event to octavo_app using ((organization_id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint));
create policy one_project on backfill to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on build to octavo_definer using (true);
create policy one_project on build to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on build_cache to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on build_log to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on connection to octavo_definer using (true);
create policy one_project on connection to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on conversation to octavo_definer using (true);
create policy one_project on conversation to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on conversation_day to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on conversation_detail to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on conversation_feedback to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on conversation_sequence to octavo_definer using (true);
create policy one_project on conversation_sequence to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on deployment to octavo_definer using (true);
create policy one_project on deployment to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on deployment_vectors to octavo_definer using (true);
create policy one_project on deployment_vectors to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on device_request to octavo_definer using (true);
create policy nobody on device_request to octavo_app using (false);
create policy definer on domain_claim to octavo_definer using (true);
create policy one_project on domain_claim to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on erased_conversation to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on event_batch to octavo_definer using (true);
create policy nobody on event_batch to octavo_app using (false);
create policy definer on event_day to octavo_definer using (true);
create policy one_project on event_day to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on event_hour to octavo_definer using (true);
create policy one_project on event_hour to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on feedback to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on gap to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on gap_change to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on gap_conversation to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on gap_forecast to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on gap_work to octavo_definer using (true);
create policy one_project on gap_work to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on git_ref to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on import_receipt to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on invitation to octavo_definer using (true);
create policy one_organization on invitation to octavo_app using ((organization_id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint));
create policy definer on membership to octavo_definer using (true);
create policy one_organization on membership to octavo_app using ((organization_id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint));
create policy definer on notice to octavo_definer using (true);
create policy one_project on notice to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on notice_work to octavo_definer using (true);
create policy one_project on notice_work to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on organization to octavo_definer using (true);
create policy one_organization on organization to octavo_app using ((id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint));
create policy definer on passkey to octavo_definer using (true);
create policy one_user on passkey to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));
create policy definer on preview to octavo_definer using (true);
create policy one_project on preview to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on project to octavo_definer using (true);
create policy one_organization on project to octavo_app using ((organization_id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint));
create policy definer on project_blob to octavo_definer using (true);
create policy one_project on project_blob to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on project_slug to octavo_definer using (true);
create policy one_project on project_slug to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on publication to octavo_definer using (true);
create policy one_project on publication to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on question to octavo_definer using (true);
create policy one_project on question to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on reader_session to octavo_definer using (true);
create policy one_project on reader_session to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on recovery_code to octavo_definer using (true);
create policy one_user on recovery_code to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));
create policy one_project on sample_proof to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on secret to octavo_definer using (true);
create policy one_project on secret to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on sign_in_code to octavo_definer using (true);
create policy nobody on sign_in_code to octavo_app using (false);
create policy definer on sign_in_count to octavo_definer using (true);
create policy nobody on sign_in_count to octavo_app using (false);
create policy definer on sign_in_link to octavo_definer using (true);
create policy nobody on sign_in_link to octavo_app using (false);
create policy definer on site_access to octavo_definer using (true);
create policy one_project on site_access to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on storage_usage to octavo_definer using (true);
create policy one_organization on storage_usage to octavo_app using ((organization_id = (NULLIF(current_setting('octavo.organization_id'::text, true), ''::text))::bigint));
create policy definer on traffic to octavo_definer using (true);
create policy one_project on traffic to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy one_project on unsorted_question to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on used_token to octavo_definer using (true);
create policy nobody on used_token to octavo_app using (false);
create policy definer on user_identity to octavo_definer using (true);
create policy one_user on user_identity to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));
create policy definer on user_session to octavo_definer using (true);
create policy one_user on user_session to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));
create policy definer on visitor_salt to octavo_definer using (true);
create policy nobody on visitor_salt to octavo_app using (false);
create policy definer on visitor_set to octavo_definer using (true);
create policy one_project on visitor_set to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));
create policy definer on webhook_delivery to octavo_definer using (true);
create policy one_project on webhook_delivery to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

grant insert, select, update on action_count to octavo_app;
grant delete, insert, select, update on api_comparison to octavo_app;
grant insert, select on api_key to octavo_app;
grant select on app_user to octavo_app;
grant insert, select, update on assistant to octavo_app;
grant insert, select, update on assistant_usage to octavo_app;
grant insert, select on audit_event to octavo_app;
grant insert, select on backfill to octavo_app;
grant insert, select, update on build to octavo_app;
grant insert, select, update on build_cache to octavo_app;
grant insert, select on build_log to octavo_app;
grant delete, insert, select, update on connection to octavo_app;
grant delete, insert, select on conversation to octavo_app;
grant insert, select, update on conversation_day to octavo_app;
grant delete, insert, select on conversation_detail to octavo_app;
grant delete, insert, select, update on conversation_feedback to octavo_app;
grant insert, select, update on conversation_sequence to octavo_app;
grant insert, select, update on deployment to octavo_app;
grant delete, insert, select, update on deployment_vectors to octavo_app;
grant select on device_request to octavo_app;
grant select on domain_claim to octavo_app;
grant insert, select on erased_conversation to octavo_app;
grant select on event_batch to octavo_app;
grant select on event_day to octavo_app;
grant select on event_hour to octavo_app;
grant delete, insert, select, update on feedback to octavo_app;
grant delete, insert, select, update on gap to octavo_app;
grant delete, insert, select, update on gap_change to octavo_app;
grant delete, insert, select, update on gap_conversation to octavo_app;
grant delete, insert, select, update on gap_forecast to octavo_app;
grant delete, insert, select, update on gap_work to octavo_app;
grant delete, insert, select, update on git_ref to octavo_app;
grant insert, select on import_receipt to octavo_app;
grant delete, insert, select on invitation to octavo_app;
grant delete, insert, select on membership to octavo_app;
grant select on migration to octavo_app;
grant delete, insert, select, update on notice to octavo_app;
grant delete, insert, select on notice_work to octavo_app;
grant select on organization to octavo_app;
grant delete, insert, select on passkey to octavo_app;
grant insert, select, update on preview to octavo_app;
grant select on project to octavo_app;
grant delete, insert, select on project_blob to octavo_app;
grant select on project_slug to octavo_app;
grant insert, select, update on publication to octavo_app;
grant delete, insert, select, update on question to octavo_app;
grant delete, insert, select on reader_session to octavo_app;
grant delete, insert, select on recovery_code to octavo_app;
grant delete, insert, select, update on sample_proof to octavo_app;
grant delete, insert, select, update on secret to octavo_app;
grant select on sign_in_code to octavo_app;
grant select on sign_in_count to octavo_app;
grant select on sign_in_link to octavo_app;
grant insert, select, update on site_access to octavo_app;
grant insert, select, update on storage_usage to octavo_app;
grant select on traffic to octavo_app;
grant delete, insert, select, update on unsorted_question to octavo_app;
grant select on used_token to octavo_app;
grant select on user_identity to octavo_app;
grant delete, insert, select on user_session to octavo_app;
grant select on visitor_salt to octavo_app;
grant select on visitor_set to octavo_app;
grant insert, select on webhook_delivery to octavo_app;
grant delete on action_count to octavo_definer;
grant delete, select on api_key to octavo_definer;
grant insert, select on app_user to octavo_definer;
grant select on assistant_usage to octavo_definer;
grant insert on audit_event to octavo_definer;
grant select on connection to octavo_definer;
grant insert, select on conversation_sequence to octavo_definer;
grant delete, insert, select, update on deleted_blob to octavo_definer;
grant select on deployment to octavo_definer;
grant delete, select on deployment_vectors to octavo_definer;
grant delete, insert, select, update on device_request to octavo_definer;
grant delete, insert, select, update on domain_claim to octavo_definer;
grant delete, insert, select, update on event_batch to octavo_definer;
grant insert, select, update on event_day to octavo_definer;
grant insert, select, update on event_hour to octavo_definer;
grant select on gap_work to octavo_definer;
grant delete, select on invitation to octavo_definer;
grant insert, select on key_check to octavo_definer;
grant delete, insert, select on membership to octavo_definer;
grant select on notice_work to octavo_definer;
grant delete, insert, select on organization to octavo_definer;
grant delete on passkey to octavo_definer;
grant delete, select on preview to octavo_definer;
grant insert, select on project to octavo_definer;
grant select on project_blob to octavo_definer;
grant insert, select on project_slug to octavo_definer;
grant select on publication to octavo_definer;
grant delete, select on reader_session to octavo_definer;
grant delete, select on recovery_code to octavo_definer;
grant delete, insert, select, update on sign_in_code to octavo_definer;
grant delete, insert, select, update on sign_in_count to octavo_definer;
grant delete, insert, select on sign_in_link to octavo_definer;
grant insert, select on storage_usage to octavo_definer;
grant insert, select on traffic to octavo_definer;
grant delete, insert, select on used_token to octavo_definer;
grant delete, insert, select on user_identity to octavo_definer;
grant delete, select on user_session to octavo_definer;
grant delete, insert, select on visitor_salt to octavo_definer;
grant delete, insert, select, update on visitor_set to octavo_definer;
grant delete on webhook_delivery to octavo_definer;

grant update (expires_at, revoked_at, last_used_at) on api_key to octavo_app;
grant update (name) on app_user to octavo_app;
grant update (redirects, checks) on domain_claim to octavo_app;
grant update (role) on membership to octavo_app;
grant update (name, deleted_at) on organization to octavo_app;
grant update (counter, name, last_used_at) on passkey to octavo_app;
grant insert (organization_id, public_id, slug, name) on project to octavo_app;
grant update (slug, name, settings, protection, retention_days, archived_at) on project to octavo_app;
grant update (stored_at) on project_blob to octavo_app;
grant update (saved_at) on recovery_code to octavo_app;
grant update (token_hash, authenticated_at, last_seen_at, pepper_id) on user_session to octavo_app;
grant select (began_at) on action_count to octavo_definer;
grant update (token_hash, last_used_at, pepper_id) on api_key to octavo_definer;
grant update (verified_at) on app_user to octavo_definer;
grant select (project_id, tokens_per_day, tokens_per_month) on assistant to octavo_definer;
grant select (organization_id, project_id) on audit_event to octavo_definer;
grant update (organization_id) on audit_event to octavo_definer;
grant select (project_id, id, target, state, created_at, started_at, finished_at, reported_state) on build to octavo_definer;
grant update (next_check_at) on connection to octavo_definer;
grant select (project_id, id) on conversation to octavo_definer;
grant update (state, finished_at, collected_at) on deployment to octavo_definer;
grant update (role) on invitation to octavo_definer;
grant update (value) on key_check to octavo_definer;
grant update (role) on membership to octavo_definer;
grant select (project_id, kind, subject, at, delivered_at) on notice to octavo_definer;
grant update (name) on organization to octavo_definer;
grant select (user_id, credential_id) on passkey to octavo_definer;
grant update (organization_id, deleted_at) on project to octavo_definer;
grant select (project_id, id, conversation_id, leased_until) on question to octavo_definer;
grant update (token_hash, last_used_at, pepper_id) on reader_session to octavo_definer;
grant update (saved_at) on recovery_code to octavo_definer;
grant select (project_id, name, key_id, updated_at) on secret to octavo_definer;
grant select (project_id, epoch, previews) on site_access to octavo_definer;
grant update (bytes) on storage_usage to octavo_definer;
grant update (requests, bytes) on traffic to octavo_definer;
grant update (last_used_at) on user_identity to octavo_definer;
grant select (received_at) on webhook_delivery to octavo_definer;

CREATE TRIGGER conversations_added AFTER INSERT ON public.conversation REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_added_conversations();
CREATE TRIGGER conversations_deleted AFTER DELETE ON public.conversation REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_conversations();
CREATE TRIGGER feedback_counted AFTER INSERT OR DELETE OR UPDATE ON public.conversation_feedback FOR EACH ROW EXECUTE FUNCTION count_feedback();
CREATE TRIGGER guard BEFORE INSERT OR DELETE OR UPDATE ON public.domain_claim FOR EACH ROW EXECUTE FUNCTION guard_domain_claim();
CREATE TRIGGER refuse_unverified BEFORE INSERT OR UPDATE OF organization_id, user_id ON public.membership FOR EACH ROW EXECUTE FUNCTION refuse_unverified();
CREATE TRIGGER slug_kept AFTER INSERT OR UPDATE OF slug ON public.project FOR EACH ROW EXECUTE FUNCTION keep_slug();
CREATE TRIGGER storage_added AFTER INSERT ON public.project_blob REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_storage();
CREATE TRIGGER storage_removed AFTER DELETE ON public.project_blob REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_removed_storage();

-- function accept_build(p_target text, p_ref text, p_commit text, p_pull_request integer, p_fork boolean, p_trigger text, OUT id text, OUT is_new boolean, OUT superseded text[]) returns record, invoker, digest 121dcd39872ee797
-- function accept_invitation(p_hash bytea, p_person bigint, p_user_public_id text, p_name text, p_address_prefix text) returns bigint, definer octavo_definer, digest 3a6c1852dccb9b3b
-- function accept_question(p_query text, p_thread text, p_page text, p_reader text) returns text, invoker, digest fb0d5763fbb96ef1
-- function add_blobs(p_digests bytea[], p_sizes bigint[], p_began timestamp with time zone) returns SETOF bytea, invoker, digest c7bbd766faf34677
-- function add_device_request(p_device bytea, p_code bytea, p_name text, p_address_prefix text, p_lifetime interval) returns boolean, definer octavo_definer, digest 6e41338643746a1a
-- function add_feedback(p_id text, p_helpful boolean, p_reason text, p_note text) returns boolean, invoker, digest 47dce285a4d7ea46
-- function add_feedback(p_key uuid, p_source text, p_path text, p_helpful boolean, p_comment text, p_contact text, p_code text, p_filename text, p_lang text) returns text, invoker, digest 3578eeaba890e23e
-- function add_setup_link(p_hash bytea, p_lifetime interval) returns boolean, definer octavo_definer, digest ce9efe9d530b9ada
-- function add_sign_in_code(p_browser bytea, p_code bytea, p_link bytea, p_email text, p_next text, p_tries integer, p_lifetime interval) returns void, definer octavo_definer, digest 1a3e1373b3be6137
-- function add_to_gap(p_gap text, p_conversation text, p_deployment text, p_has_words boolean) returns text, invoker, digest e7a06ec18e97af5a
-- function add_traffic(p_projects bigint[], p_requests bigint[], p_bytes bigint[]) returns void, definer octavo_definer, digest 4e84cd971a6fe603
-- function admit_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text, p_address_prefix text) returns bigint, definer octavo_definer, digest 80dd085cf58083ac
-- function allows_proxy(p_settings jsonb) returns boolean, invoker, digest 0a4441ece3c2998f
-- function announce_project() returns void, invoker, digest d7c6df5e9ebf0dea
-- function apply_group_roles(p_user bigint, p_issuer text, p_grants jsonb, p_actor text, p_address_prefix text) returns void, definer octavo_definer, digest 63c1292e8395feb4
-- function attach_partition(p_table text, p_name text, p_from text, p_to text) returns boolean, invoker, digest 9dfec96229d1ad25
-- function authenticate_api_key(p_hashes bytea[], p_address inet) returns text, invoker, digest 2d6e5bb23b8613d2
-- function authenticate_session(p_hashes bytea[], p_idle interval, p_pepper text) returns text, invoker, digest 0bf0c6853a92868b
-- function base32(value bigint, digits integer) returns text, invoker, digest 53d330fabdc3eede
-- function begin_move(p_project bigint) returns timestamp with time zone, invoker, digest 7c76a131a3407da9
-- function begin_question(p json, OUT question_id text, OUT refusal text, OUT has_budget boolean) returns record, invoker, digest 00e6427c6f7daaaa
-- function begin_questions(p_questions json) returns json, invoker, digest e2c8a136407ac9de
-- function begin_upload(OUT began timestamp with time zone, OUT room bigint, OUT suspended text) returns record, invoker, digest 275019197feec946
-- function blob_renewal() returns interval, invoker, digest 398510f90352257d
-- function budget_period(p_period text) returns text, invoker, digest 20927e544a6cbfd8
-- function cancel_build(p_id text, p_reason text) returns text, invoker, digest b8a0d79a3f98ab73
-- function cancel_move(p_project bigint) returns boolean, invoker, digest d3a89ed437b6c1c9
-- function change_gaps(p_action text, p_changes json, OUT change_id text, OUT changed_ids text[]) returns record, invoker, digest 55d0c81c5998da83
-- function check_pause(p_failures integer) returns interval, invoker, digest 3e11a6cc149add33
-- function claim_blobs(p_digests bytea[]) returns SETOF bytea, definer octavo_definer, digest 3c5033a546b19c5b
-- function claim_domain(p_name text, p_token text, p_max integer) returns text, definer octavo_definer, digest 636af1c3d37bf8a7
-- function clock_ahead_ms() returns bigint, definer octavo_definer, digest 59f84fa2add0b134
-- function conversation_categories(p_limit integer) returns SETOF text, invoker, digest 3d66bd1276304745
-- function conversation_json(c conversation) returns text, invoker, digest 4b366d2fdc542398
-- function conversations_list(p_before text, p_from text, p_to text, p_status text, p_category text, p_feedback text, p_text text, p_limit integer, p_scan integer, p_separator text, OUT rows text, OUT row_count integer, OUT last_id text, OUT has_more boolean) returns record, invoker, digest 9f7f22f2438a893c
-- function conversations_page(p_after text, p_from text, p_to text, p_limit integer, p_separator text, OUT rows text, OUT row_count integer, OUT last_id text, OUT has_more boolean) returns record, invoker, digest be3d9b80b7585484
-- function count_action(p_action text, p_seconds integer, OUT used integer, OUT seconds_left integer) returns record, invoker, digest 6ca5e732669ff55c
-- function count_added_conversations() returns trigger, invoker, digest b0a47c13c7cd71e1
-- function count_added_storage() returns trigger, definer octavo_definer, digest 767a1b30e6844ed7
-- function count_certificates(p_soon interval, OUT ends_at timestamp with time zone, OUT ending integer) returns record, definer octavo_definer, digest b63697608890a3d6
-- function count_contents(OUT deployments bigint, OUT conversations bigint, OUT keys bigint, OUT previews bigint, OUT gaps bigint, OUT bytes bigint) returns record, invoker, digest 514c9e1e43ec7388
-- function count_deleted_conversations() returns trigger, invoker, digest d74464dc07baf84e
-- function count_feedback() returns trigger, invoker, digest bdca556037bf4c60
-- function count_gap_weeks(p_ids text[]) returns TABLE(id text, weeks integer[]), invoker, digest 41ae6320bc32270c
-- function count_peppers() returns TABLE(kind text, pepper_id text, credentials integer), definer octavo_definer, digest 4370eb836eed67ca
-- function count_removed_storage() returns trigger, definer octavo_definer, digest a78b0be6396a911e
-- function count_sign_in(p_key bytea, p_seconds integer, OUT used integer, OUT seconds_left integer) returns record, definer octavo_definer, digest 0e791dd61cfdc0dc
-- function count_usage(p_from date, p_to date, OUT requests bigint, OUT sent bigint, OUT deployments bigint, OUT builds bigint, OUT build_seconds bigint, OUT questions bigint, OUT tokens bigint) returns record, invoker, digest 8d43930c4b9c8bf1
-- function count_used_budgets(p_day bigint, p_month bigint, OUT near integer, OUT spent integer) returns record, definer octavo_definer, digest 0b52ea38f615cfed
-- function count_visitors(p_hashes bigint[]) returns bigint, invoker, digest 070ad7f63b0ec9e5
-- function create_deployment(p_root bytea, p_draft boolean, p_branch text, p_message text, p_commit text, p_by text, p_key text, p_target text DEFAULT 'production'::text, p_build text DEFAULT NULL::text) returns text, invoker, digest 293920355c2af219
-- function current_organization() returns bigint, invoker, digest a13b7065cd28c141
-- function current_person() returns bigint, invoker, digest b63ea78c09dd3a02
-- function current_project() returns bigint, invoker, digest 64db30f57e627ca0
-- function day_of_ulid(id text) returns date, invoker, digest 9f168871bc7f79c5
-- function decide_device_request(p_code bytea, p_user bigint, p_is_denied boolean) returns boolean, definer octavo_definer, digest 0621da9ae28a9d60
-- function delete_project(p_user bigint, OUT refusal text, OUT erased_at timestamp with time zone) returns record, definer octavo_definer, digest 5e9dd84ae6627977
-- function deletion_grace() returns interval, invoker, digest 51530267a75a1ca0
-- function deployment_author(d deployment) returns text, invoker, digest 3f935d01f1396443
-- function deployment_name(d deployment) returns text, invoker, digest 23b230af60847335
-- function describe_build(b build) returns jsonb, invoker, digest 5a29e702a4a170de
-- function describe_project(p project) returns TABLE(state text, open_gaps integer, deployed_at timestamp with time zone, facts jsonb), invoker, digest 170a5e566d6c1a50
-- function domain_counterpart(p_name text) returns text, invoker, digest 872b3e0c06cefb59
-- function domain_grace() returns interval, invoker, digest 7b2cad01b3ee7b38
-- function domain_loss(c domain_claim) returns text, invoker, digest a7fb9e8ec0678eea
-- function domain_quarantine() returns interval, invoker, digest 64f63814fdb6b759
-- function drop_partitions() returns integer, definer owner, digest 15a6ee8ff7358a25
-- function earlier_preview_roots(p_project bigint, p_branch text, p_shown text) returns bytea[], invoker, digest 1abddbf0911ce98d
-- function earlier_roots(p_project bigint, p_live text) returns bytea[], invoker, digest 744292fbad7ed31a
-- function end_deployment(p_id text, p_state text, p_files integer, p_bytes bigint, p_is_compared boolean) returns boolean, invoker, digest 70d2fdc5b6c69fff
-- function end_move(p_project bigint) returns boolean, invoker, digest acfe20e477d4321f
-- function ended_state(p_build build) returns text, invoker, digest 3f950819aec5f9ab
-- function ensure_partitions() returns integer, definer owner, digest 1512ef1481fa4992
-- function erase_conversations(p_id text, p_reader text) returns integer, invoker, digest b00316ceafbb52b8
-- function erase_organizations() returns integer, definer octavo_definer, digest 7f083be5f0e2d49f
-- function erase_project(p_project bigint, p_limit integer) returns boolean, definer owner, digest aec4ac8d08e60281
-- function event_subjects_max() returns integer, invoker, digest 146ede3f318975fa
-- function expire_conversations(p_limit integer) returns integer, invoker, digest 3bcade825aad2148
-- function expire_previews() returns integer, definer octavo_definer, digest 8b00d6a55cefa609
-- function expire_uploads() returns integer, definer octavo_definer, digest 4dded9f83b796ec6
-- function failed_build() returns SETOF build, invoker, digest b5ef68af9169b709
-- function fence_conversations(p_seal_ms bigint) returns pg_lsn, invoker, digest eb6b8829948aa8af
-- function find_answered_questions(p_conversations integer, p_limit integer) returns TABLE(id text, query text, sources json), invoker, digest d7678fc8a1289b50
-- function find_api_key(p_hashes bytea[]) returns TABLE(organization_id bigint, project_id bigint, key_id bigint), definer octavo_definer, digest 220c9f04efacf2cc
-- function find_changed_sites(p_seconds integer) returns TABLE(organization_id bigint, project_id bigint, public_id text, slug text, protection text, deployment_id text, root bytea, earlier bytea[], playground_proxy boolean, preview json, is_archived boolean, moved_to text), definer octavo_definer, digest a579ebb03bb55cdd
-- function find_deleted_blobs(p_digests bytea[], p_began timestamp with time zone) returns SETOF bytea, definer octavo_definer, digest 91029d7ab9e78463
-- function find_erasable_projects(p_limit integer) returns SETOF bigint, definer octavo_definer, digest 36d7d37cff4a4bb2
-- function find_expired_projects(p_after bigint, p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 58db5d9a9dcc177c
-- function find_gap_work(p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 1b40675880382b60
-- function find_idle_builds(p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 3408564d3aefcc1e
-- function find_installed_projects(p_installation bigint) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 2a2ee14a327ef990
-- function find_invitation(p_hash bytea) returns TABLE(organization_id bigint, invitation_id bigint), definer octavo_definer, digest 9b3020dc35317f93
-- function find_key_check(p_name text) returns text, definer octavo_definer, digest 3cb8c65ae7dbfa4d
-- function find_member_site(p_user bigint, p_slug text, p_domain text) returns bigint, definer octavo_definer, digest 34e9abbcdc6f4c2c
-- function find_memberships(p_user bigint) returns TABLE(organization_id bigint, project_id bigint, role text), definer octavo_definer, digest baf3af85f543389e
-- function find_notice_work(p_limit integer, p_build_age interval, p_key_time interval) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 7fe63c91ca6df354
-- function find_open_questions(p_before text, p_limit integer) returns TABLE(organization_id bigint, project_id bigint, question_id text), definer octavo_definer, digest c1dba6c689b6664d
-- function find_organization_role(p_user bigint, p_public_id text) returns TABLE(organization_id bigint, role text), definer octavo_definer, digest cb2a9f17ce6b671e
-- function find_passkey(p_credential bytea) returns bigint, definer octavo_definer, digest 668a88a8eb396fd8
-- function find_project(p_public_id text) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest f98a025d91a29c8c
-- function find_project_role(p_user bigint, p_public_id text) returns TABLE(organization_id bigint, project_id bigint, role text, organization_role text, is_archived boolean), definer octavo_definer, digest 72a065831dc99e3e
-- function find_readers(p_hashes bytea[]) returns TABLE(token_hash bytea, project_id bigint, way text, host text, groups text[], expires_at timestamp with time zone, is_use_due boolean), definer octavo_definer, digest bd3d9962d07a1b8a
-- function find_secret_keys() returns TABLE(key_id text, secrets integer, organization_id bigint, project_id bigint, name text), definer octavo_definer, digest 92b9eeb8070fe28e
-- function find_served_domains() returns TABLE(name text, slug text, redirect_to text), definer octavo_definer, digest 09896a5a3b441518
-- function find_session(p_hashes bytea[]) returns TABLE(user_id bigint, session_id bigint), definer octavo_definer, digest 961b14a8148a4746
-- function find_site(p_slug text) returns TABLE(organization_id bigint, project_id bigint, public_id text, slug text, protection text, deployment_id text, root bytea, earlier bytea[], playground_proxy boolean, preview json, is_archived boolean, moved_to text), definer octavo_definer, digest 3c729a261d8b69a8
-- function find_uncollected_projects(p_seconds integer, p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 7a32fa147e3b2a6a
-- function find_unreported_projects(p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 7573d9c5482790a3
-- function find_unsorted_questions(p_limit integer) returns TABLE(id text, query text, deployment_id text), invoker, digest 2576d80a3f2cf04d
-- function find_vector_work(p_model text, p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 0963f27dde2af4cb
-- function find_webhook(p_webhook_id text) returns TABLE(organization_id bigint, project_id bigint, is_archived boolean), definer octavo_definer, digest 2329a71786149fd1
-- function forget_action_counts() returns integer, definer octavo_definer, digest 9a65e68fe57106a2
-- function forget_details(p_ids text[]) returns void, invoker, digest 68f3c86ea647bd90
-- function forget_domains() returns integer, definer octavo_definer, digest eecf7aad52a29535
-- function forget_job_tokens() returns integer, definer octavo_definer, digest ef090e8d819253bd
-- function forget_readers() returns integer, definer octavo_definer, digest a5b08b551a5cd9ba
-- function forget_sessions(p_idle interval) returns integer, definer octavo_definer, digest db26909f060e26ba
-- function forget_sign_ins() returns integer, definer octavo_definer, digest b92f3af7889508d9
-- function forget_visitors() returns integer, definer octavo_definer, digest 95d23826d78967f2
-- function forget_webhook_deliveries() returns integer, definer octavo_definer, digest e35049f788700a53
-- function gap_sort_key(g gap, p_sort text) returns text, invoker, digest 62941867b06a77b0
-- function guard_domain_claim() returns trigger, invoker, digest 16be1a2b253ace0e
-- function has_users() returns boolean, definer octavo_definer, digest 7e996c4a1b56fcf5
-- function history_id(ms bigint, question text) returns text, invoker, digest 25765cc03c4a583e
-- function import_conversations(p_questions json, OUT ids text[], OUT first_id text, OUT last_id text, OUT backfilled integer, OUT problem text) returns record, invoker, digest 55bd9f45a645a2a4
-- function instant_micros(at timestamp with time zone) returns bigint, invoker, digest 87922acff05b8a06
-- function instant_of(micros bigint) returns timestamp with time zone, invoker, digest 500466443af61dba
-- function is_archived(p project) returns boolean, invoker, digest f638d7c8691c7f5c
-- function is_budget_near(p_tokens bigint, p_max bigint) returns boolean, invoker, digest 68a49e3711196eb1
-- function is_listed_token(s reader_session) returns boolean, invoker, digest b9e363d777163603
-- function is_noise(g gap) returns boolean, invoker, digest 71c53caa8e2dba4e
-- function is_served(p project) returns boolean, invoker, digest 61552a7909628132
-- function is_suspended() returns boolean, invoker, digest b432ea7ba06e0e55
-- function is_working_token(s reader_session) returns boolean, invoker, digest 8fb3f62c1bfe5605
-- function join_by_invitation(p_invited invitation, p_person app_user, p_address_prefix text) returns void, definer octavo_definer, digest 96e06dadbf8e5744
-- function keep_slug() returns trigger, definer octavo_definer, digest 097a3b059593dc13
-- function key_expiry(p_key bigint, p_expires_at timestamp with time zone) returns text, invoker, digest 49f9e851ac45f5cf
-- function list_projects(p_user bigint) returns TABLE(organization text, organization_name text, role text, access text, state text, open_gaps integer, deployed_at timestamp with time zone, facts jsonb), invoker, digest f0a030e5bf1252d4
-- function lock_class(p_name text) returns integer, invoker, digest 88ea9643392fe04a
-- function lock_key(p_project bigint) returns integer, invoker, digest 6d46a8cedb8736cc
-- function lock_project() returns bigint, invoker, digest d83870f366ae0215
-- function lock_verified(p_user bigint) returns boolean, definer octavo_definer, digest 26dad9118aeeefcc
-- function log_person_event(p_user bigint, p_event jsonb) returns void, definer octavo_definer, digest 13dbd527e84ab219
-- function log_refused_sign_in(p_email text, p_after jsonb, p_address_prefix text) returns void, definer octavo_definer, digest 7d131edf302f449d
-- function make_partitions_for(p_table text, p_days date[]) returns integer, invoker, digest d5b5737afa7f3515
-- function make_ulid(ms bigint, counter integer) returns text, invoker, digest 5b1b8ca1c9e56f38
-- function may_sign_in_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean) returns boolean, definer octavo_definer, digest 714e6dd0f298ae27
-- function moved_to(p project, p_slug text) returns text, invoker, digest 00130a9795f804d7
-- function moving_tables() returns TABLE(name text, is_guarded boolean), invoker, digest 035beff0780b8d4c
-- function next_position(last_ms bigint, last_counter integer, at_ms bigint, OUT ms bigint, OUT counter integer) returns record, invoker, digest dbb886af97825e1c
-- function note_budget_use(p_day boolean, p_month boolean) returns void, invoker, digest 7f86297ccb6dd5f1
-- function note_gap_deployment() returns void, invoker, digest 77882b03959b5604
-- function note_gap_work() returns void, invoker, digest abb0c0c9e4e3aa06
-- function note_key_uses(p_projects bigint[], p_keys bigint[], p_old_hashes bytea[], p_hashes bytea[], p_pepper text) returns void, definer octavo_definer, digest ba0b7359da1af0c1
-- function note_reader_token_uses(p_hashes bytea[]) returns void, definer octavo_definer, digest 74c9f6c3511bf4ed
-- function now_ms() returns bigint, invoker, digest 6ecc4b3586aeda4c
-- function owns_organization(p_user bigint, p_organization bigint) returns boolean, invoker, digest ad149bf1138b037b
-- function page_bytes() returns integer, invoker, digest c0cd030c5af69114
-- function pending_vectors(p_model text) returns TABLE(id text, root bytea, embedded integer, is_recent boolean), invoker, digest 65f2013417bce946
-- function poll_device_request(p_device bytea, p_interval interval) returns TABLE(state text, user_id bigint, device text), definer octavo_definer, digest 264d2af7bfcac177
-- function preview_facts(v preview, p project) returns json, invoker, digest f7b8a11e9910e57a
-- function preview_protection(p project) returns text, invoker, digest f9f89228c5463562
-- function project_tables() returns TABLE(name text, key_columns text, has_organization boolean), invoker, digest deb02e48fa1aab52
-- function prove_domain(p_name text, p_common text[], p_any text[], p_seconds double precision) returns text, definer octavo_definer, digest 79cafc7fb99bea50
-- function publish_answers(p_answers json) returns json, invoker, digest 69495bf26f25af11
-- function publish_deployment(p_id text, p_automatic boolean, p_expected text, OUT outcome text, OUT live text) returns record, invoker, digest 3d0bd0898c81d194
-- function publish_preview(p_id text, p_name text, p_days integer, p_max integer) returns text, invoker, digest 5b74bec69e67d428
-- function publish_question(p_question text, p_response text, p_sources json, p_status text, p_category text) returns text, invoker, digest afd7802d811d52eb
-- function random_id() returns bigint, invoker, digest 6f7a7302b2b4088d
-- function read_device_request(p_code bytea) returns TABLE(device text, address_prefix text), definer octavo_definer, digest 882a13b6626cb581
-- function read_gaps(p_ids text[], p_states text[], p_is_noise boolean, p_count_min integer, p_asked_from text, p_sort text, p_after text, p_limit integer) returns TABLE(gap json), invoker, digest f690f31b0bd9213d
-- function read_mailed_link(p_link bytea) returns TABLE(email text, seconds_left integer), definer octavo_definer, digest ea10f53aed52d733
-- function read_memberships(p_user bigint) returns json, invoker, digest 0cf5740d1476f8ed
-- function read_organization_usage(p_from date, p_to date) returns TABLE(id text, name text, stored bigint, requests bigint, sent bigint, deployments bigint, builds bigint, build_seconds bigint, questions bigint, tokens bigint), invoker, digest a8146a6a2eb70cf5
-- function read_sign_in_link(p_hash bytea) returns TABLE(kind text, seconds_left integer), definer octavo_definer, digest 7f17f5bd619d0959
-- function read_storage(OUT stored bigint, OUT stored_max bigint) returns record, invoker, digest 9b5ae20076eb800c
-- function reader_epoch() returns integer, invoker, digest e5e35595f490cb7a
-- function recount_gaps(p_project bigint, p_gaps text[]) returns void, invoker, digest fc5bff3cfd24928d
-- function refuse_moving() returns trigger, definer octavo_definer, digest e3546c2f751ec3a6
-- function refuse_unverified() returns trigger, definer octavo_definer, digest 29322554e3e9c7d8
-- function rehash_readers(p_old_hashes bytea[], p_hashes bytea[], p_pepper text) returns void, definer octavo_definer, digest 523daece10c4dbba
-- function release_blobs(p_digests bytea[]) returns void, definer octavo_definer, digest 46d962d5c7ebdf6e
-- function remove_domain(p_name text) returns boolean, definer octavo_definer, digest e5618db104cd5cfd
-- function renew_questions(p_leases json) returns json, invoker, digest c66c075ab8e3121d
-- function retire_deployments() returns integer, definer octavo_definer, digest 8222b03bfd199dee
-- function role_rank(p_role text) returns integer, invoker, digest 0ddb5fd596d21058
-- function set_moving_guard(p_table text, p_is_on boolean) returns void, invoker, digest 238ac60dc25dfdbc
-- function set_up(p_hash bytea, p_user_public_id text, p_name text, p_email text, p_organization_public_id text, p_organization text, p_project_public_id text, p_project text, p_slug text, p_address_prefix text) returns TABLE(user_id bigint, organization_id bigint, project_id bigint), definer octavo_definer, digest 1412b25fb4283f8f
-- function settle_usage(change assistant_usage) returns void, invoker, digest 9ea0adfa09868bc1
-- function sign_in_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text, p_address_prefix text) returns bigint, definer octavo_definer, digest 9e2fba05dec6281c
-- function sign_in_by_identity(p_issuer text, p_subject text, p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text, p_address_prefix text) returns TABLE(user_id bigint, outcome text), definer octavo_definer, digest 8083ffc5b95ffcb9
-- function sign_in_tries(p_key bytea, p_seconds integer) returns integer, definer octavo_definer, digest 134b6aabaad24511
-- function smallest_hashes(p_hashes bigint[]) returns bigint[], invoker, digest a7a290742ff4c3d5
-- function spend_login_link(p_hash bytea) returns bigint, definer octavo_definer, digest ab87cf4b5ef55ae6
-- function spend_mailed_link(p_link bytea) returns TABLE(email text, next_path text), definer octavo_definer, digest eaa32ebacaa0ba13
-- function spend_once(p_hash bytea, p_lifetime interval) returns boolean, definer octavo_definer, digest 833e61866a1bb67a
-- function spend_recovery_code(p_email text, p_code bytea) returns bigint, definer octavo_definer, digest 9ebdc05c27a0477b
-- function stop_builds(p_reason text) returns void, invoker, digest 8ec90548bfccc1cf
-- function store_events(p_host uuid, p_sequence bigint, p_projects bigint[], p_hours timestamp with time zone[], p_events text[], p_subjects text[], p_details text[], p_counts bigint[]) returns boolean, definer octavo_definer, digest 63c9cd49ad6c59b4
-- function store_key_check(p_name text, p_value text, p_before text) returns void, definer octavo_definer, digest c64208da3f5d3363
-- function store_visitors(p_projects bigint[], p_days date[], p_subjects text[], p_details text[], p_hashes bigint[]) returns void, definer octavo_definer, digest fbc6747af4f7f36a
-- function take_build(p_attempts_max integer, OUT id text, OUT state text) returns SETOF record, invoker, digest 5a3664b58b23eb25
-- function take_down_deployment(p_id text) returns boolean, invoker, digest 41b4fb872c93ed7d
-- function take_due_checks(p_limit integer) returns TABLE(organization_id bigint, project_id bigint), definer octavo_definer, digest 24f11868a7605b8c
-- function take_due_domains(p_limit integer) returns TABLE(organization_id bigint, project_id bigint, name text), definer octavo_definer, digest 3326628bb282b808
-- function take_over_claims() returns SETOF bytea, definer octavo_definer, digest f5be54514db6e443
-- function tell_hosts(p_project bigint) returns void, invoker, digest b8c1792d770f79e4
-- function transfer_project(p_user bigint, p_to bigint) returns text, definer octavo_definer, digest 74587b716fb6c2af
-- function try_sign_in_code(p_browser bytea, p_code bytea) returns TABLE(outcome text, email text, next_path text, tries_left integer), definer octavo_definer, digest 6dcb4bced421fdd5
-- function ulid_floor(at timestamp with time zone) returns text, invoker, digest 8e4c00c081818a2f
-- function ulid_floor(ms bigint) returns text, invoker, digest 4ed287b3e2fd5870
-- function undo_gap_change(p_id text) returns integer, invoker, digest a7ace7c97c2215e1
-- function verify_address(p_user bigint, p_identity bigint DEFAULT NULL::bigint) returns void, definer octavo_definer, digest 782e8cdc1a5738c6
-- function visitor_salt(p_day date) returns bytea, definer octavo_definer, digest 1ef9cbb456f3e19c
