-- Written by `npm test -- -u` from the migrated database. Read it in the diff.

create table act_count (
  project_id bigint not null,
  act text not null,
  began_at timestamp with time zone not null,
  used integer not null
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
  idempotency_key text
);

create table app_user (
  id bigint not null default random_id(),
  public_id text not null,
  email text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone
);

create table assistant (
  project_id bigint not null,
  is_on boolean not null default true,
  masks boolean not null default true,
  model jsonb,
  tokens_per_day bigint,
  tokens_per_month bigint,
  updated_at timestamp with time zone not null default now(),
  needs_proof boolean not null default false
);

create table assistant_use (
  project_id bigint not null,
  day date not null,
  questions integer not null default 0,
  cached integer not null default 0,
  reserved_tokens bigint not null default 0,
  used_tokens bigint not null default 0,
  saved_tokens bigint not null default 0
);

create table audit_event (
  organisation_id bigint not null,
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
  wants_cancel boolean not null default false,
  preview_name text,
  deployment_id text,
  error_count integer not null default 0,
  warning_count integer not null default 0,
  diagnostics jsonb not null default '[]'::jsonb,
  unread_files bytea,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  told_state text,
  told_error text,
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

create table collected_blob (
  sha256 bytea not null,
  claimed_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone
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
  hook_id text not null,
  installation_id bigint,
  refresh_minutes integer,
  refreshed_at timestamp with time zone,
  checked_at timestamp with time zone,
  check_error text,
  check_failures integer not null default 0,
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
  lights jsonb,
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
  open_in text,
  checked_in text,
  closed_in text,
  section_url text,
  section_sha256 text,
  verified_by text,
  model_asked_in text,
  changed_at timestamp with time zone not null default now()
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
  lost_ids text[] not null
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

create table hook_delivery (
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

create table import_receipt (
  project_id bigint not null,
  turn_id text not null,
  conversation_id text not null,
  at timestamp with time zone not null default clock_timestamp()
);

create table invitation (
  organisation_id bigint not null,
  id bigint not null default random_id(),
  token_hash bytea not null,
  email text not null,
  project_id bigint,
  role text not null,
  invited_by text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null
);

create table membership (
  organisation_id bigint not null,
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
  is_hooked boolean not null default false,
  mailed text[] not null default '{}'::text[],
  mail_count integer not null default 0,
  delivered_at timestamp with time zone
);

create table notice_work (
  project_id bigint not null,
  since timestamp with time zone not null default now()
);

create table organisation (
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
  organisation_id bigint not null,
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

create table project_sequence (
  project_id bigint not null,
  last_ms bigint not null default 0,
  last_counter integer not null default 0
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
  expires_at timestamp with time zone not null
);

create table recovery_code (
  user_id bigint not null,
  id bigint not null default random_id(),
  code_hash bytea not null,
  created_at timestamp with time zone not null default now()
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
  oidc jsonb,
  jwt jsonb
);

create table spent_token (
  token_hash bytea not null,
  expires_at timestamp with time zone not null
);

create table storage_usage (
  organisation_id bigint not null,
  bytes bigint not null
);

create table traffic (
  project_id bigint not null,
  day date not null,
  requests bigint not null,
  bytes bigint not null
);

create table turn (
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
  proved_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null
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

alter table act_count add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table act_count add PRIMARY KEY (project_id, act);

alter table api_key add CHECK ((kind = ANY (ARRAY['admin'::text, 'deploy'::text])));

alter table api_key add CHECK ((length(idempotency_key) <= 200));

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

alter table assistant_use add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table assistant_use add PRIMARY KEY (project_id, day);

alter table audit_event add FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table audit_event add PRIMARY KEY (organisation_id, id);

alter table backfill add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table backfill add PRIMARY KEY (project_id, id);

alter table build add CHECK (((length(commit_sha) >= 40) AND (length(commit_sha) <= 64)));

alter table build add CHECK (((length(ref) >= 1) AND (length(ref) <= 250)));

alter table build add CHECK ((length(author) <= 200));

alter table build add CHECK ((length(message) <= 1000));

alter table build add CHECK ((length(preview_name) <= 63));

alter table build add CHECK ((length(reason) <= 2000));

alter table build add CHECK ((length(told_error) <= 2000));

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

alter table collected_blob add PRIMARY KEY (sha256);

alter table connection add CHECK (((length(branch) >= 1) AND (length(branch) <= 250)));

alter table connection add CHECK (((length(hook_id) >= 20) AND (length(hook_id) <= 64)));

alter table connection add CHECK (((refresh_minutes >= 5) AND (refresh_minutes <= 44640)));

alter table connection add CHECK ((credential = ANY (ARRAY['none'::text, 'token'::text, 'ssh-key'::text, 'github-app'::text])));

alter table connection add CHECK ((length(check_error) <= 2000));

alter table connection add CHECK ((length(folder) <= 500));

alter table connection add CHECK ((length(url) <= 2000));

alter table connection add CHECK ((provider = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text, 'git'::text])));

alter table connection add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table connection add PRIMARY KEY (project_id);

alter table connection add UNIQUE (hook_id);

alter table conversation add CHECK ((resolution_status = ANY (ARRAY['answered'::text, 'unanswered'::text])));

alter table conversation add PRIMARY KEY (project_id, id);

alter table conversation_day add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table conversation_day add PRIMARY KEY (project_id, day);

alter table conversation_detail add CHECK ((reason = ANY (ARRAY['declared'::text, 'no-sources'::text, 'low-support'::text, 'stopped'::text, 'budget'::text, 'provider-error'::text, 'interrupted'::text])));

alter table conversation_detail add PRIMARY KEY (project_id, id);

alter table conversation_feedback add CHECK ((length(note) <= 1000));

alter table conversation_feedback add CHECK ((length(reason) <= 50));

alter table conversation_feedback add PRIMARY KEY (project_id, id);

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

alter table hook_delivery add CHECK ((length(body) <= 10000));

alter table hook_delivery add CHECK ((length(delivery_id) <= 200));

alter table hook_delivery add CHECK ((length(event) <= 100));

alter table hook_delivery add CHECK ((length(reason) <= 2000));

alter table hook_delivery add CHECK ((length(ref) <= 250));

alter table hook_delivery add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table hook_delivery add PRIMARY KEY (project_id, id);

alter table import_receipt add CHECK (((length(turn_id) >= 1) AND (length(turn_id) <= 100)));

alter table import_receipt add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table import_receipt add PRIMARY KEY (project_id, turn_id);

alter table invitation add CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))));

alter table invitation add CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'analyst'::text, 'viewer'::text])));

alter table invitation add FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table invitation add FOREIGN KEY (organisation_id, project_id) REFERENCES project(organisation_id, id) ON DELETE CASCADE;

alter table invitation add PRIMARY KEY (organisation_id, id);

alter table invitation add UNIQUE (token_hash);

alter table invitation add UNIQUE NULLS NOT DISTINCT (organisation_id, email, project_id);

alter table membership add CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'analyst'::text, 'viewer'::text])));

alter table membership add FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table membership add FOREIGN KEY (organisation_id, project_id) REFERENCES project(organisation_id, id) ON DELETE CASCADE;

alter table membership add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;

alter table membership add PRIMARY KEY (organisation_id, id);

alter table membership add UNIQUE NULLS NOT DISTINCT (organisation_id, user_id, project_id);

alter table notice add CHECK (((length(kind) >= 1) AND (length(kind) <= 50)));

alter table notice add CHECK (((length(subject) >= 1) AND (length(subject) <= 100)));

alter table notice add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table notice add PRIMARY KEY (project_id, kind, subject);

alter table notice_work add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table notice_work add PRIMARY KEY (project_id);

alter table organisation add CHECK (((length(name) >= 1) AND (length(name) <= 200)));

alter table organisation add CHECK ((public_id ~ '^org_[0-9a-z]{16}$'::text));

alter table organisation add CHECK ((storage_bytes_max >= 0));

alter table organisation add PRIMARY KEY (id);

alter table organisation add UNIQUE (public_id);

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

alter table project add FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table project add PRIMARY KEY (organisation_id, id);

alter table project add UNIQUE (id);

alter table project add UNIQUE (public_id);

alter table project add UNIQUE (slug);

alter table project_blob add CHECK ((length(sha256) = 32));

alter table project_blob add CHECK ((size >= 0));

alter table project_blob add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table project_blob add PRIMARY KEY (project_id, sha256);

alter table project_sequence add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table project_sequence add PRIMARY KEY (project_id);

alter table project_slug add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table project_slug add PRIMARY KEY (project_id, slug);

alter table project_slug add UNIQUE (slug);

alter table publication add CHECK (((length(lock_reason) >= 1) AND (length(lock_reason) <= 1000)));

alter table publication add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table publication add FOREIGN KEY (project_id, deployment_id) REFERENCES deployment(project_id, id);

alter table publication add PRIMARY KEY (project_id);

alter table reader_session add CHECK (((length(name) >= 1) AND (length(name) <= 100)));

alter table reader_session add CHECK (((way = 'members'::text) = (user_id IS NOT NULL)));

alter table reader_session add CHECK (((way = 'token'::text) = ((id IS NOT NULL) AND (name IS NOT NULL))));

alter table reader_session add CHECK (((way = 'token'::text) = (host IS NULL)));

alter table reader_session add CHECK ((cardinality(groups) <= 100));

alter table reader_session add CHECK ((length(host) <= 260));

alter table reader_session add CHECK ((length(id) <= 20));

alter table reader_session add CHECK ((length(token_hash) = 32));

alter table reader_session add CHECK ((way = ANY (ARRAY['password'::text, 'members'::text, 'oidc'::text, 'jwt'::text, 'token'::text])));

alter table reader_session add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table reader_session add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;

alter table reader_session add PRIMARY KEY (project_id, token_hash);

alter table recovery_code add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;

alter table recovery_code add PRIMARY KEY (user_id, id);

alter table recovery_code add UNIQUE (user_id, code_hash);

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

alter table spent_token add PRIMARY KEY (token_hash);

alter table storage_usage add FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE;

alter table storage_usage add PRIMARY KEY (organisation_id);

alter table traffic add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table traffic add PRIMARY KEY (project_id, day);

alter table turn add PRIMARY KEY (project_id, id);

alter table user_identity add CHECK (((length(issuer) >= 1) AND (length(issuer) <= 2000)));

alter table user_identity add CHECK (((length(subject) >= 1) AND (length(subject) <= 255)));

alter table user_identity add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;

alter table user_identity add PRIMARY KEY (user_id, id);

alter table user_identity add UNIQUE (issuer, subject);

alter table user_session add CHECK ((kind = ANY (ARRAY['browser'::text, 'command-line'::text])));

alter table user_session add CHECK ((length(device) <= 200));

alter table user_session add FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE;

alter table user_session add PRIMARY KEY (user_id, id);

alter table user_session add UNIQUE (token_hash);

alter table visitor_salt add PRIMARY KEY (day);

alter table visitor_set add CHECK ((cardinality(hashes) <= 512));

alter table visitor_set add CHECK ((length(detail) <= 20));

alter table visitor_set add CHECK ((length(subject) <= 300));

alter table visitor_set add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table visitor_set add PRIMARY KEY (project_id, day, subject, detail);

CREATE INDEX api_key_created ON public.api_key USING btree (project_id, created_at, id);

CREATE INDEX api_key_expiring ON public.api_key USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));

CREATE INDEX audit_event_at ON public.audit_event USING btree (organisation_id, at);

CREATE INDEX audit_event_of_project ON public.audit_event USING btree (organisation_id, project_id, at, id);

CREATE INDEX build_failed ON public.build USING btree (finished_at) WHERE ((state = 'failed'::text) AND (target = 'production'::text));

CREATE INDEX build_open ON public.build USING btree (project_id, number) WHERE (state = ANY (ARRAY['queued'::text, 'fetching'::text, 'building'::text, 'uploading'::text]));

CREATE INDEX build_ref ON public.build USING btree (project_id, ref, number);

CREATE INDEX build_unannounced ON public.build USING btree (project_id) WHERE ((NOT is_announced) AND (state = ANY (ARRAY['failed'::text, 'superseded'::text])));

CREATE INDEX build_untold ON public.build USING btree (project_id) WHERE (state IS DISTINCT FROM told_state);

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

CREATE INDEX hook_delivery_received ON public.hook_delivery USING btree (received_at);

CREATE INDEX hook_delivery_recent ON public.hook_delivery USING btree (project_id, received_at);

CREATE INDEX import_receipt_at ON public.import_receipt USING btree (at);

CREATE INDEX membership_user ON public.membership USING btree (user_id);

CREATE INDEX notice_newest ON public.notice USING btree (project_id, at);

CREATE INDEX notice_undelivered ON public.notice USING btree (at) WHERE (delivered_at IS NULL);

CREATE INDEX organisation_deleted ON public.organisation USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX preview_branch ON public.preview USING btree (project_id, branch, expires_at);

CREATE INDEX preview_changed ON public.preview USING btree (changed_at);

CREATE INDEX preview_deployment ON public.preview USING btree (project_id, deployment_id);

CREATE INDEX preview_expires ON public.preview USING btree (expires_at);

CREATE INDEX project_blob_sha256 ON public.project_blob USING btree (sha256);

CREATE INDEX project_deleted ON public.project USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX publication_changed ON public.publication USING btree (changed_at);

CREATE INDEX reader_session_expires ON public.reader_session USING btree (expires_at);

CREATE INDEX reader_session_user ON public.reader_session USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX sign_in_code_email ON public.sign_in_code USING btree (email);

CREATE INDEX sign_in_count_began ON public.sign_in_count USING btree (began_at);

CREATE INDEX turn_open ON ONLY public.turn USING btree (id) WHERE (conversation_id IS NULL);

CREATE INDEX turn_reader ON ONLY public.turn USING btree (project_id, reader) WHERE (reader IS NOT NULL);

CREATE INDEX visitor_set_day ON public.visitor_set USING btree (day);

create policy one_project on act_count to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on api_key to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_user on app_user to octavo_app using (((id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint) OR (EXISTS ( SELECT
   FROM membership m
  WHERE ((m.user_id = app_user.id) AND (m.organisation_id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint))))));

create policy one_project on assistant to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on assistant_use to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_organisation on audit_event to octavo_app using ((organisation_id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint));

create policy one_project on backfill to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on build to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on build_cache to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on build_log to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on connection to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on conversation to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on conversation_day to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on conversation_detail to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on conversation_feedback to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on deployment to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on deployment_vectors to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy nobody on device_request to octavo_app using (false);

create policy one_project on domain_claim to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on erased_conversation to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy nobody on event_batch to octavo_app using (false);

create policy one_project on event_day to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on event_hour to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on feedback to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on gap to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on gap_conversation to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on gap_forecast to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on gap_work to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on git_ref to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on hook_delivery to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on import_receipt to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_organisation on invitation to octavo_app using ((organisation_id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint));

create policy one_organisation on membership to octavo_app using ((organisation_id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint));

create policy one_project on notice to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on notice_work to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_organisation on organisation to octavo_app using ((id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint));

create policy one_user on passkey to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));

create policy one_project on preview to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_organisation on project to octavo_app using ((organisation_id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint));

create policy one_project on project_blob to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on project_sequence to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on project_slug to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on publication to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on reader_session to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_user on recovery_code to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));

create policy one_project on secret to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy nobody on sign_in_code to octavo_app using (false);

create policy nobody on sign_in_count to octavo_app using (false);

create policy nobody on sign_in_link to octavo_app using (false);

create policy one_project on site_access to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy nobody on spent_token to octavo_app using (false);

create policy one_organisation on storage_usage to octavo_app using ((organisation_id = (NULLIF(current_setting('octavo.organisation_id'::text, true), ''::text))::bigint));

create policy one_project on traffic to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_project on turn to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

create policy one_user on user_identity to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));

create policy one_user on user_session to octavo_app using ((user_id = (NULLIF(current_setting('octavo.user_id'::text, true), ''::text))::bigint));

create policy nobody on visitor_salt to octavo_app using (false);

create policy one_project on visitor_set to octavo_app using ((project_id = (NULLIF(current_setting('octavo.project_id'::text, true), ''::text))::bigint));

grant insert, select, update on act_count to octavo_app;

grant insert, select on api_key to octavo_app;

grant select on app_user to octavo_app;

grant insert, select, update on assistant to octavo_app;

grant insert, select, update on assistant_use to octavo_app;

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

grant delete, insert, select, update on gap_conversation to octavo_app;

grant delete, insert, select, update on gap_forecast to octavo_app;

grant delete, insert, select, update on gap_work to octavo_app;

grant delete, insert, select, update on git_ref to octavo_app;

grant insert, select on hook_delivery to octavo_app;

grant insert, select on import_receipt to octavo_app;

grant delete, insert, select on invitation to octavo_app;

grant delete, insert, select on membership to octavo_app;

grant select on migration to octavo_app;

grant delete, insert, select, update on notice to octavo_app;

grant delete, insert, select on notice_work to octavo_app;

grant select on organisation to octavo_app;

grant delete, insert, select on passkey to octavo_app;

grant insert, select, update on preview to octavo_app;

grant select on project to octavo_app;

grant delete, insert, select on project_blob to octavo_app;

grant insert, select, update on project_sequence to octavo_app;

grant select on project_slug to octavo_app;

grant insert, select, update on publication to octavo_app;

grant delete, insert, select on reader_session to octavo_app;

grant delete, insert, select on recovery_code to octavo_app;

grant delete, insert, select, update on secret to octavo_app;

grant select on sign_in_code to octavo_app;

grant select on sign_in_count to octavo_app;

grant select on sign_in_link to octavo_app;

grant insert, select, update on site_access to octavo_app;

grant select on spent_token to octavo_app;

grant insert, select, update on storage_usage to octavo_app;

grant select on traffic to octavo_app;

grant delete, insert, select, update on turn to octavo_app;

grant select on user_identity to octavo_app;

grant delete, insert, select on user_session to octavo_app;

grant select on visitor_salt to octavo_app;

grant select on visitor_set to octavo_app;

CREATE OR REPLACE FUNCTION public.accept_build(p_target text, p_ref text, p_commit text, p_pull_request integer, p_fork boolean, p_trigger text, OUT id text, OUT is_new boolean, OUT superseded text[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  new_number bigint;
begin
  insert into publication (project_id) values (project) on conflict do nothing;
  -- The row is locked until the end, so builds and deployments are numbered one after the other.
  perform from publication p where p.project_id = project for update;
  superseded := '{}';
  is_new := false;
  if p_trigger in ('webhook', 'check') then
    select b.id into id from build b
     where b.project_id = project and b.ref = p_ref and b.commit_sha = p_commit and b.target = p_target
       and b.state in ('queued', 'fetching', 'building', 'uploading') and not b.wants_cancel
     order by b.number desc limit 1;
    if id is not null then return; end if;
  end if;
  update publication p set last_number = last_number + 1 where p.project_id = project returning last_number into new_number;
  is_new := true;
  id := make_ulid(now_ms(), (new_number % 1048576)::integer);
  with older as (
    update build b set state = 'superseded', finished_at = now(),
        reason = 'Superseded by build ' || new_number || ' of ' || left(p_commit, 7) || '.'
     where b.project_id = project and b.ref = p_ref and b.target = p_target and b.state = 'queued'
    returning b.id)
  select coalesce(array_agg(o.id), '{}') into superseded from older o;
  update build b set wants_cancel = true, reason = 'Superseded by build ' || new_number || ' of ' || left(p_commit, 7) || '.'
   where b.project_id = project and b.ref = p_ref and b.target = p_target and b.state in ('fetching', 'building');
  insert into build (project_id, id, number, target, ref, commit_sha, pull_request, is_fork, trigger)
    values (project, id, new_number, p_target, p_ref, p_commit, p_pull_request, p_fork, p_trigger);
end
$function$
;

CREATE OR REPLACE FUNCTION public.accept_invitation(p_hash bytea, p_person bigint, p_user_public_id text, p_name text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  invited invitation;
  person bigint;
begin
  select * into invited from invitation i where i.token_hash = p_hash and i.expires_at > now() for update;
  if invited.id is null then return null; end if;
  select u.id into person from app_user u where u.email = invited.email;
  if person is distinct from p_person then return null; end if;
  if person is null then
    insert into app_user (public_id, email, name) values (p_user_public_id, invited.email, p_name)
      on conflict (email) do nothing returning id into person;
  end if;
  if person is null then return null; end if;
  delete from invitation i where i.organisation_id = invited.organisation_id and i.id = invited.id;
  insert into membership as m (organisation_id, user_id, project_id, role)
    values (invited.organisation_id, person, invited.project_id, invited.role)
    on conflict (organisation_id, user_id, project_id) do update set role = excluded.role
      where role_rank(excluded.role) > role_rank(m.role);
  return person;
end
$function$
;

CREATE OR REPLACE FUNCTION public.accept_turn(p_query text, p_thread text, p_page text, p_reader text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  new_id text := make_ulid(now_ms(), (random() * 1048575)::integer);
begin
  insert into turn (project_id, id, query, thread_id, page_url, reader)
    values (current_project(), new_id, p_query, p_thread, p_page, p_reader);
  return new_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.add_blobs(p_digests bytea[], p_sizes bigint[], p_began timestamp with time zone)
 RETURNS SETOF bytea
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(collection_lock());
  insert into project_blob (project_id, sha256, size)
    select current_project(), b.sha256, b.size
      from unnest(p_digests, p_sizes) as b (sha256, size)
     where b.sha256 not in (select find_deleted_blobs(p_digests, p_began))
     order by b.sha256
    on conflict (project_id, sha256) do update set stored_at = excluded.stored_at;
  return query
    select d from unnest(p_digests) as d
     where not exists (select from project_blob b where b.project_id = current_project() and b.sha256 = d);
end
$function$
;

CREATE OR REPLACE FUNCTION public.add_device_request(p_device bytea, p_code bytea, p_name text, p_address_prefix text, p_lifetime interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  insert into device_request (device_hash, code_hash, device, address_prefix, expires_at)
    values (p_device, p_code, p_name, p_address_prefix, now() + p_lifetime) on conflict do nothing;
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.add_feedback(p_id text, p_helpful boolean, p_reason text, p_note text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  insert into conversation_feedback (project_id, id, is_helpful, reason, note)
    select c.project_id, c.id, p_helpful, p_reason, p_note
      from conversation c where c.project_id = current_project() and c.id = p_id
    on conflict (project_id, id) do update
      set at = clock_timestamp(), is_helpful = excluded.is_helpful, reason = excluded.reason, note = excluded.note;
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.add_feedback(p_key uuid, p_source text, p_path text, p_helpful boolean, p_comment text, p_contact text, p_code text, p_filename text, p_lang text)
 RETURNS text
 LANGUAGE sql
AS $function$
  insert into feedback as f (project_id, id, key, source, path, helpful, comment, contact, code, filename, lang)
    values (current_project(), make_ulid(now_ms(), 0), p_key, p_source, p_path, p_helpful, p_comment, p_contact, p_code,
            p_filename, p_lang)
    on conflict (project_id, key) do update
      set source = excluded.source, helpful = excluded.helpful, comment = excluded.comment, contact = excluded.contact
      where f.created_at > now() - interval '1 hour' and f.path = excluded.path
    returning f.id
$function$
;

CREATE OR REPLACE FUNCTION public.add_setup_link(p_hash bytea, p_lifetime interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  if has_users() then return false; end if;
  delete from sign_in_link where expires_at < now();
  insert into sign_in_link (token_hash, kind, expires_at) values (p_hash, 'setup', now() + p_lifetime);
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.add_sign_in_code(p_browser bytea, p_code bytea, p_link bytea, p_email text, p_next text, p_tries integer, p_lifetime interval)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  insert into sign_in_code (browser_hash, code_hash, link_hash, email, next_path, tries_left, expires_at)
    values (p_browser, p_code, p_link, p_email, p_next, p_tries, now() + p_lifetime)
  on conflict (browser_hash) do update set code_hash = excluded.code_hash, link_hash = excluded.link_hash,
    email = excluded.email, next_path = excluded.next_path, tries_left = excluded.tries_left,
    expires_at = excluded.expires_at
$function$
;

CREATE OR REPLACE FUNCTION public.add_to_gap(p_gap text, p_conversation text, p_deployment text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := lock_project();
  gap_id text := p_gap;
begin
  if not exists (select from conversation c where c.project_id = project and c.id = p_conversation) then
    return null;
  end if;
  if not exists (select from gap g where g.project_id = project and g.id = p_gap) then
    gap_id := make_ulid(now_ms(), (random() * 1048575)::integer);
    insert into gap (project_id, id, open_in) values (project, gap_id, p_deployment);
  end if;
  insert into gap_conversation (project_id, conversation_id, gap_id)
    values (project, p_conversation, gap_id) on conflict do nothing;
  update gap g
     set state = case when g.linked_page is null then 'open' else 'linked' end, open_in = p_deployment,
         closed_in = null, section_url = null, section_sha256 = null, verified_by = null,
         changed_at = case when g.state in ('open', 'linked') then g.changed_at else now() end
   where g.project_id = project and g.id = gap_id and g.state <> 'dismissed'
     and coalesce(g.closed_in, g.open_in, '') <= p_deployment;
  return gap_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.add_traffic(p_projects bigint[], p_requests bigint[], p_bytes bigint[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  insert into traffic as t (project_id, day, requests, bytes)
    select p.id, (now() at time zone 'utc')::date, u.requests, u.bytes
      from unnest(p_projects, p_requests, p_bytes) as u (project_id, requests, bytes)
      join project p on p.id = u.project_id
     order by p.id
    on conflict (project_id, day) do update
      set requests = t.requests + excluded.requests, bytes = t.bytes + excluded.bytes
$function$
;

CREATE OR REPLACE FUNCTION public.admit_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  person bigint;
begin
  if not has_users() then return null; end if;
  if not p_may_join and not (p_may_be_invited and exists (
    select from invitation i where i.email = p_email and i.expires_at > now()))
  then return null; end if;
  insert into app_user (public_id, email, name) values (p_public_id, p_email, p_name)
    on conflict (email) do nothing returning id into person;
  if person is null or not p_may_be_invited then return person; end if;
  insert into membership (organisation_id, user_id, project_id, role)
    select i.organisation_id, person, i.project_id, i.role from invitation i
     where i.email = p_email and i.expires_at > now();
  delete from invitation i where i.email = p_email;
  return person;
end
$function$
;

CREATE OR REPLACE FUNCTION public.allows_proxy(p_settings jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(p_settings ->> 'playgroundProxy' = 'true', false)
$function$
;

CREATE OR REPLACE FUNCTION public.announce_project()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
begin
  insert into publication as p (project_id) values (project)
    on conflict (project_id) do update set changed_at = clock_timestamp();
  update preview v set changed_at = clock_timestamp() where v.project_id = project;
  perform pg_notify('octavo_sites', s.slug) from project_slug s where s.project_id = project;
  perform pg_notify('octavo_sites', 'preview/' || v.name) from preview v where v.project_id = project;
end
$function$
;

CREATE OR REPLACE FUNCTION public.apply_group_roles(p_user bigint, p_issuer text, p_grants jsonb, p_actor text, p_address_prefix text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  place record;
begin
  for place in
    with granted as (
      select o.id as organisation_id, p.id as project_id,
             (array_agg(g.role order by role_rank(g.role) desc))[1] as role
        from jsonb_to_recordset(p_grants) as g (organisation text, project text, role text)
        join organisation o on o.public_id = g.organisation
        left join project p on p.organisation_id = o.id and p.public_id = g.project
       where g.project is null or p.id is not null
       group by o.id, p.id)
    select coalesce(g.organisation_id, m.organisation_id) as organisation_id,
           coalesce(g.project_id, m.project_id) as project_id, m.id, m.granted_by,
           m.role as before, g.role as after, u.email
      from granted g
      full join (select * from membership where user_id = p_user) m
        on m.organisation_id = g.organisation_id and m.project_id is not distinct from g.project_id
      join app_user u on u.id = p_user
     where m.role is distinct from g.role
       and (m.id is null or m.granted_by = p_issuer)
     order by 1, 2 nulls first
  loop
    if place.before = 'owner' and place.project_id is null then
      perform from organisation o where o.id = place.organisation_id for update;
      continue when not exists (
        select from membership m where m.organisation_id = place.organisation_id
           and m.project_id is null and m.role = 'owner' and m.user_id <> p_user);
    end if;
    if place.after is null then
      delete from membership m where m.organisation_id = place.organisation_id and m.id = place.id;
    elsif place.id is null then
      insert into membership (organisation_id, user_id, project_id, role, granted_by)
        values (place.organisation_id, p_user, place.project_id, place.after, p_issuer);
    else
      update membership m set role = place.after
       where m.organisation_id = place.organisation_id and m.id = place.id;
    end if;
    insert into audit_event (organisation_id, project_id, actor, action, object, before, after, address_prefix)
      values (place.organisation_id, place.project_id, p_actor,
              case when place.after is null then 'member.remove' else 'member.role' end, place.email,
              case when place.before is not null then jsonb_build_object('role', place.before) end,
              case when place.after is not null then jsonb_build_object('role', place.after) end,
              p_address_prefix);
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.attach_partition(p_table text, p_name text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  key_column text := (
    select a.attname from pg_partitioned_table t
      join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
     where t.partrelid = p_table::regclass);
begin
  if to_regclass(p_name) is not null then return false; end if;
  execute format('create table %I (like %I including all)', p_name, p_table);
  execute format('alter table %I add constraint in_range check (%I >= %L and %2$I < %4$L)',
    p_name, key_column, p_from, p_to);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, p_name, p_from, p_to);
  execute format('alter table %I drop constraint in_range', p_name);
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.authenticate_key(p_hash bytea, p_address inet)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  found record;
begin
  select * into found from find_api_key(p_hash);
  if found.key_id is null then return null; end if;
  perform set_config('octavo.project_id', found.project_id::text, true),
          set_config('octavo.organisation_id', found.organisation_id::text, true);
  return (
    select json_build_object(
        'organisationId', p.organisation_id::text, 'projectId', p.id::text, 'id', k.id::text,
        'kind', k.kind, 'projectPublicId', p.public_id, 'scopes', k.scopes,
        'expiresAtMs', floor(extract(epoch from k.expires_at) * 1000),
        'isRevoked', k.revoked_at is not null, 'isArchived', p.archived_at is not null,
        'isAllowed', k.allowed_from is null or coalesce(p_address <<= any (k.allowed_from), false))
      from api_key k join project p on p.id = k.project_id
     where k.project_id = current_project() and k.id = found.key_id);
end
$function$
;

CREATE OR REPLACE FUNCTION public.authenticate_session(p_hash bytea, p_idle interval)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  found record;
begin
  select * into found from find_session(p_hash);
  if found.session_id is null then return null; end if;
  perform set_config('octavo.user_id', found.user_id::text, true);
  update user_session set last_seen_at = now()
   where user_id = current_person() and id = found.session_id
     and last_seen_at < now() - interval '1 minute' and expires_at > now()
     and (kind = 'command-line' or last_seen_at > now() - p_idle);
  return (
    select json_build_object(
        'userId', u.id::text, 'sessionId', s.id::text, 'id', u.public_id, 'name', u.name,
        'email', u.email, 'kind', s.kind,
        'provedAtMs', floor(extract(epoch from s.proved_at) * 1000))
      from user_session s join app_user u on u.id = s.user_id
     where s.user_id = current_person() and s.id = found.session_id and u.disabled_at is null
       and s.expires_at > now()
       and (s.kind = 'command-line' or s.last_seen_at > now() - p_idle));
end
$function$
;

CREATE OR REPLACE FUNCTION public.base32(value bigint, digits integer)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  result text := '';
begin
  for place in reverse digits - 1 .. 0 loop
    result := result || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((value >> (5 * place)) & 31)::integer + 1, 1);
  end loop;
  return result;
end
$function$
;

CREATE OR REPLACE FUNCTION public.begin_move(p_project bigint)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
begin
  -- Writers wait behind this as long as it waits itself, so it gives up soon.
  perform pg_advisory_xact_lock(moving_lock(p_project));
  update project p set moving_since = coalesce(p.moving_since, clock_timestamp())
   where p.id = p_project and p.deleted_at is null;
  return (select p.moving_since from project p where p.id = p_project and p.deleted_at is null);
end
$function$
;

CREATE OR REPLACE FUNCTION public.begin_turn(p json, OUT turn_id text, OUT refusal text, OUT has_budget boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  today date := (now() at time zone 'UTC')::date;
  tokens bigint := coalesce((p->>'tokens')::bigint, 0);
  of_day bigint;
  of_month bigint;
  near_day boolean;
  near_month boolean;
begin
  -- First the ticket: one that is used up does not use up what others have.
  if (select c.used from count_act('assistant ticket ' || (p->>'ticket'), 3600) c) > (p->>'ticketMax')::integer then
    refusal := 'ticket';
    return;
  end if;
  if (select c.used from count_act('assistant', 3600) c) > (p->>'projectMax')::integer then
    refusal := 'project';
    return;
  end if;
  select coalesce(sum(u.used_tokens + u.reserved_tokens) filter (where u.day = today), 0),
         coalesce(sum(u.used_tokens + u.reserved_tokens), 0)
    into of_day, of_month
    from assistant_use u
   where u.project_id = current_project() and u.day >= date_trunc('month', today::timestamp)::date;
  has_budget := (of_day < (p->>'tokensPerDay')::bigint) is not false
            and (of_month < (p->>'tokensPerMonth')::bigint) is not false;
  if not has_budget then tokens := 0; end if;
  near_day := is_budget_near(of_day + tokens, (p->>'tokensPerDay')::bigint);
  near_month := is_budget_near(of_month + tokens, (p->>'tokensPerMonth')::bigint);
  if near_day or near_month then perform note_budget_use(near_day, near_month); end if;
  insert into assistant_use as u (project_id, day, questions, reserved_tokens)
    values (current_project(), today, 1, tokens)
    on conflict (project_id, day) do update
      set questions = u.questions + 1, reserved_tokens = u.reserved_tokens + tokens;
  turn_id := make_ulid(now_ms(), (random() * 1048575)::integer);
  insert into turn (project_id, id, query, thread_id, page_url, deployment_id, lease, leased_until,
      reserved_tokens, reserved_on)
    values (current_project(), turn_id, p->>'query', p->>'threadId', p->>'pageUrl', p->>'deploymentId',
      p->>'lease', clock_timestamp() + interval '30 seconds', tokens, today);
end
$function$
;

CREATE OR REPLACE FUNCTION public.begin_upload(OUT began timestamp with time zone, OUT room bigint, OUT suspended text)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select clock_timestamp(), o.storage_bytes_max - coalesce(u.bytes, 0),
         case when not is_served(p) then coalesce(p.suspended_reason, 'it was archived or deleted meanwhile.') end
    from organisation o
    join project p on p.organisation_id = o.id
    left join storage_usage u on u.organisation_id = o.id
   where o.id = current_organisation() and p.id = current_project()
$function$
;

CREATE OR REPLACE FUNCTION public.blob_renewal()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
AS $function$ select interval '1 hour' $function$
;

CREATE OR REPLACE FUNCTION public.budget_period(p_period text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select to_char(now() at time zone 'UTC', case p_period when 'day' then 'YYYY-MM-DD' else 'YYYY-MM' end)
$function$
;

CREATE OR REPLACE FUNCTION public.cancel_build(p_id text, p_reason text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  now_state text;
begin
  select b.state into now_state from build b where b.project_id = project and b.id = p_id for update;
  if now_state = 'queued' then
    update build b set state = 'cancelled', finished_at = now(), reason = p_reason where b.project_id = project and b.id = p_id;
    return 'cancelled';
  end if;
  if now_state in ('fetching', 'building') then
    update build b set wants_cancel = true, reason = coalesce(b.reason, p_reason) where b.project_id = project and b.id = p_id;
    return now_state;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.cancel_move(p_project bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update project p set moving_since = null, deleted_at = null
   where p.id = p_project and p.moving_since is not null
     and (p.deleted_at is null or p.deleted_at > now() - deletion_grace());
  if not found then return false; end if;
  perform tell_hosts(p_project);
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.check_pause(p_failures integer)
 RETURNS interval
 LANGUAGE sql
AS $function$
  select least(interval '5 minutes' * 2 ^ least(p_failures, 10), interval '1 hour') * (0.8 + 0.4 * random())
$function$
;

CREATE OR REPLACE FUNCTION public.claim_blobs(p_digests bytea[])
 RETURNS SETOF bytea
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  perform pg_advisory_xact_lock(collection_lock());
  return query
    insert into collected_blob as c (sha256)
      select d from unnest(p_digests) as d
       where not exists (select from project_blob b where b.sha256 = d)
      on conflict (sha256) do update set claimed_at = clock_timestamp(), finished_at = null
        where c.finished_at is not null
      returning c.sha256;
end
$function$
;

CREATE OR REPLACE FUNCTION public.claim_domain(p_name text, p_token text, p_max integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  kept text;
begin
  -- One claim of a project at a time, so that no two go over the limit.
  perform from project p
   where p.organisation_id = current_organisation() and p.id = current_project() and p.deleted_at is null for update;
  if not found then return 'not-found'; end if;
  if exists (select from domain_claim c where c.project_id = current_project() and c.name = p_name and c.state <> 'removed')
  then return 'exists'; end if;
  if (select count(*) from domain_claim c where c.project_id = current_project() and c.state <> 'removed') >= p_max
  then return 'too-many'; end if;
  if exists (
    select from domain_claim c join project p on p.id = c.project_id
     where c.name = p_name and c.state <> 'removed' and c.project_id <> current_project()
       and p.organisation_id = current_organisation() and p.deleted_at is null)
  then return 'elsewhere'; end if;
  select c.token into kept from domain_claim c join project p on p.id = c.project_id
   where c.name = p_name and p.organisation_id = current_organisation()
     and c.state = 'removed' and c.seen_at is not null and c.ended_at > now() - domain_quarantine()
   order by c.ended_at desc limit 1;
  delete from domain_claim c using project p
   where p.id = c.project_id and p.organisation_id = current_organisation()
     and c.name = p_name and c.state = 'removed';
  insert into domain_claim (project_id, name, token) values (current_project(), p_name, coalesce(kept, p_token));
  return 'claimed';
end
$function$
;

CREATE OR REPLACE FUNCTION public.clock_ahead_ms()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select greatest(0, coalesce(max(last_ms), 0) - now_ms()) from project_sequence
$function$
;

CREATE OR REPLACE FUNCTION public.collection_lock()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$ select 7406112330::bigint $function$
;

CREATE OR REPLACE FUNCTION public.conversation_json(c conversation)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select '{"id":"' || c.id
    || '","timestamp":"' || to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","query":' || to_json(c.query)
    || ',"response":' || to_json(c.response)
    || ',"sources":' || c.sources
    || ',"resolutionStatus":"' || c.resolution_status || '"'
    || coalesce(',"queryCategory":' || to_json(c.query_category), '')
    || coalesce(',"threadId":' || to_json(c.thread_id), '')
    || coalesce(',"pageUrl":' || to_json(c.page_url), '')
    || '}'
$function$
;

CREATE OR REPLACE FUNCTION public.conversations_list(p_before text, p_from text, p_to text, p_status text, p_category text, p_feedback text, p_text text, p_limit integer, p_scan integer, p_separator text, OUT rows text, OUT row_count integer, OUT last_id text, OUT has_more boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  project bigint := current_project();
  one conversation;
  needle text := lower(p_text);
  scanned integer := 0;
  helpful boolean;
  found_rows text[] := '{}';
  drive refcursor;
begin
  row_count := 0;
  if p_feedback in ('helpful', 'unhelpful') then
    open drive for
      select c.* from conversation_feedback f
        join conversation c on c.project_id = f.project_id and c.id = f.id
       where f.project_id = project and f.is_helpful = (p_feedback = 'helpful')
         and f.id < p_before and f.id >= p_from and f.id < p_to
       order by f.id desc limit p_scan + 1;
  elsif p_category is not null then
    open drive for
      select c.* from conversation c
       where c.project_id = project and c.query_category = p_category
         and c.id < p_before and c.id >= p_from and c.id < p_to
       order by c.id desc limit p_scan + 1;
  elsif p_status = 'unanswered' then
    open drive for
      select c.* from conversation c
       where c.project_id = project and c.resolution_status = 'unanswered'
         and c.id < p_before and c.id >= p_from and c.id < p_to
       order by c.id desc limit p_scan + 1;
  else
    open drive for
      select c.* from conversation c
       where c.project_id = project and c.id < p_before and c.id >= p_from and c.id < p_to
       order by c.id desc limit p_scan + 1;
  end if;
  loop
    fetch drive into one;
    has_more := found;
    exit when not has_more or row_count = p_limit or scanned = p_scan;
    scanned := scanned + 1;
    last_id := one.id;
    continue when one.resolution_status <> p_status or one.query_category is distinct from coalesce(p_category, one.query_category)
      or (needle is not null and strpos(lower(one.query), needle) = 0 and strpos(lower(one.response), needle) = 0);
    select f.is_helpful into helpful from conversation_feedback f where f.project_id = project and f.id = one.id;
    continue when p_feedback = 'none' and helpful is not null;
    row_count := row_count + 1;
    found_rows := found_rows || (left(conversation_json(one), -1) || case helpful
      when true then ',"feedback":"helpful"}' when false then ',"feedback":"unhelpful"}' else '}' end);
  end loop;
  close drive;
  rows := array_to_string(found_rows, p_separator);
end
$function$
;

CREATE OR REPLACE FUNCTION public.conversations_page(p_after text, p_from text, p_to text, p_limit integer, p_separator text, OUT rows text, OUT row_count integer, OUT last_id text, OUT has_more boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  project bigint := current_project();
begin
  select string_agg(page.json, p_separator order by page.id), count(*)::integer, max(page.id)
    into rows, row_count, last_id
    from (
      select c.id, conversation_json(c) as json
        from conversation c
       where c.project_id = project and c.id > p_after and c.id >= p_from and c.id < p_to
       order by c.id limit p_limit
    ) as page;
  has_more := row_count = p_limit and exists (
    select from conversation c
     where c.project_id = project and c.id > last_id and c.id >= p_from and c.id < p_to);
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_act(p_act text, p_seconds integer, OUT used integer, OUT seconds_left integer)
 RETURNS record
 LANGUAGE sql
AS $function$
  insert into act_count as c (project_id, act, began_at, used)
    values (current_project(), p_act, clock_timestamp(), 1)
  on conflict (project_id, act) do update set
    used = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.used + 1 else 1 end,
    began_at = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.began_at else excluded.began_at end
  returning c.used,
    greatest(1, ceil(p_seconds - extract(epoch from clock_timestamp() - c.began_at)))::integer
$function$
;

CREATE OR REPLACE FUNCTION public.count_added_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into conversation_day as d (project_id, day, answered, unanswered)
    select c.project_id, (c.recorded_at at time zone 'UTC')::date,
           count(*) filter (where c.resolution_status = 'answered'),
           count(*) filter (where c.resolution_status = 'unanswered')
      from changed c group by 1, 2 order by 1, 2
    on conflict (project_id, day) do update
      set answered = d.answered + excluded.answered, unanswered = d.unanswered + excluded.unanswered;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_added_storage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  insert into storage_usage as u (organisation_id, bytes)
    select p.organisation_id, sum(a.size) from added a join project p on p.id = a.project_id group by 1
    on conflict (organisation_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_certificates(p_soon interval, OUT ends_at timestamp with time zone, OUT ending integer)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select min(d.ends_at), count(*) filter (where d.ends_at < now() + p_soon)
    from (select (c.lights #>> '{certificate,endsAt}')::timestamptz as ends_at
            from domain_claim c join project p on p.id = c.project_id
           where c.state = 'active' and is_served(p)) d
$function$
;

CREATE OR REPLACE FUNCTION public.count_contents(OUT deployments bigint, OUT conversations bigint, OUT keys bigint, OUT previews bigint, OUT gaps bigint, OUT bytes bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select (select count(*) from deployment d where d.project_id = current_project()),
         (select coalesce(sum(c.answered + c.unanswered), 0) from conversation_day c where c.project_id = current_project()),
         (select count(*) from api_key k where k.project_id = current_project()
             and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
         (select count(*) from preview v where v.project_id = current_project() and v.expires_at > now()),
         (select count(*) from gap g where g.project_id = current_project()),
         (select coalesce(sum(b.size), 0)::bigint from project_blob b where b.project_id = current_project())
$function$
;

CREATE OR REPLACE FUNCTION public.count_deleted_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update conversation_day d set answered = d.answered - g.answered, unanswered = d.unanswered - g.unanswered
    from (select c.project_id, (c.recorded_at at time zone 'UTC')::date as day,
                 count(*) filter (where c.resolution_status = 'answered') as answered,
                 count(*) filter (where c.resolution_status = 'unanswered') as unanswered
            from changed c group by 1, 2) g
   where d.project_id = g.project_id and d.day = g.day;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_feedback()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    update conversation_day d set helpful = d.helpful - old.is_helpful::integer, unhelpful = d.unhelpful - (not old.is_helpful)::integer
     where d.project_id = old.project_id and d.day = day_of_ulid(old.id);
  end if;
  if tg_op <> 'DELETE' then
    update conversation_day d set helpful = d.helpful + new.is_helpful::integer, unhelpful = d.unhelpful + (not new.is_helpful)::integer
     where d.project_id = new.project_id and d.day = day_of_ulid(new.id);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_removed_storage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  update storage_usage u set bytes = u.bytes - r.bytes
    from (select p.organisation_id, sum(g.size) as bytes
            from gone g join project p on p.id = g.project_id group by 1) r
   where u.organisation_id = r.organisation_id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_sign_in(p_key bytea, p_seconds integer, OUT used integer, OUT seconds_left integer)
 RETURNS record
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  insert into sign_in_count as c (key_hash, began_at, used) values (p_key, clock_timestamp(), 1)
  on conflict (key_hash) do update set
    used = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.used + 1 else 1 end,
    began_at = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.began_at else excluded.began_at end
  returning c.used,
    greatest(1, ceil(p_seconds - extract(epoch from clock_timestamp() - c.began_at)))::integer
$function$
;

CREATE OR REPLACE FUNCTION public.count_used_budgets(p_day bigint, p_month bigint, OUT near integer, OUT spent integer)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select count(*) filter (where d.is_near), count(*) filter (where d.is_spent)
    from (select bool_or(is_budget_near(u.tokens, b.max)) as is_near, bool_or(b.max > 0 and u.tokens >= b.max) as is_spent
            from (select n.project_id from notice n
                   where n.kind = 'assistant.budget' and n.subject in (budget_period('day'), budget_period('month'))
                  union
                  select w.project_id from notice_work w) t
            join project p on p.id = t.project_id and is_served(p)
            left join assistant s on s.project_id = p.id
           cross join lateral (values ('day', coalesce(s.tokens_per_day, p_day)),
                                      ('month', coalesce(s.tokens_per_month, p_month))) as b (period, max)
           cross join lateral (
             select coalesce(sum(a.used_tokens), 0)::bigint as tokens from assistant_use a
              where a.project_id = p.id and a.day >= date_trunc(b.period, now() at time zone 'UTC')::date) u
           group by p.id) d
$function$
;

CREATE OR REPLACE FUNCTION public.count_visitors(p_hashes bigint[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when cardinality(p_hashes) < 512 then cardinality(p_hashes)::bigint
              else round(511 / (p_hashes[512] / 281474976710656::float8))::bigint end
$function$
;

CREATE OR REPLACE FUNCTION public.create_deployment(p_root bytea, p_draft boolean, p_branch text, p_message text, p_commit text, p_by text, p_key text, p_target text DEFAULT 'production'::text, p_build text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  new_number bigint;
  new_id text;
begin
  insert into publication (project_id) values (project) on conflict do nothing;
  if p_build is not null then
    select b.number, b.deployment_id into strict new_number, new_id from build b
     where b.project_id = project and b.id = p_build for update;
    -- Another attempt may have built other bytes: hosted specifications change.
    update deployment d set root = p_root where d.project_id = project and d.id = new_id and d.state = 'uploading';
    if new_id is not null then return new_id; end if;
  else
    -- The row is locked until the end, so numbers are given one after the other.
    update publication p set last_number = last_number + 1 where p.project_id = project
      returning last_number into new_number;
  end if;
  select d.id into new_id from deployment d where d.project_id = project and d.idempotency_key = p_key;
  if new_id is not null then return new_id; end if;
  new_id := make_ulid(now_ms(), (new_number % 1048576)::integer);
  insert into deployment (project_id, id, number, is_draft, branch, message, commit_sha, root, created_by, idempotency_key, target)
    values (project, new_id, new_number, p_draft, p_branch, p_message, p_commit, p_root, p_by, p_key, p_target);
  update build b set deployment_id = new_id where b.project_id = project and b.id = p_build;
  return new_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.current_organisation()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('octavo.organisation_id', true), '')::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.current_person()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('octavo.user_id', true), '')::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.current_project()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('octavo.project_id', true), '')::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.day_of_ulid(id text)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (timestamp 'epoch' + sum((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, place, 1)) - 1)
      * power(32::numeric, 10 - place)) * interval '1 millisecond')::date
    from generate_series(1, 10) as place
$function$
;

CREATE OR REPLACE FUNCTION public.decide_device_request(p_code bytea, p_user bigint, p_is_denied boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  update device_request d set user_id = p_user, is_denied = p_is_denied
   where d.code_hash = p_code and d.expires_at > now() and d.user_id is null and not d.is_denied;
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.deletion_grace()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
AS $function$ select interval '7 days' $function$
;

CREATE OR REPLACE FUNCTION public.domain_counterpart(p_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_name like 'www.%' then substr(p_name, 5) else 'www.' || p_name end
$function$
;

CREATE OR REPLACE FUNCTION public.domain_grace()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
AS $function$ select interval '7 days' $function$
;

CREATE OR REPLACE FUNCTION public.domain_loss(c domain_claim)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select md5(c.name) || ' ' || c.state || ' ' || floor(extract(epoch from coalesce(c.ended_at, c.missing_since)))
   where (c.state = 'active' and c.missing_since <= now() - interval '25 hours')
      or (c.state in ('lapsed', 'lost') and c.ended_at > now() - interval '1 day')
$function$
;

CREATE OR REPLACE FUNCTION public.domain_quarantine()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
AS $function$ select interval '30 days' $function$
;

CREATE OR REPLACE FUNCTION public.drop_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  turns_end text := 'turn_' || to_char((now() at time zone 'UTC') - interval '7 days', 'YYYY_MM_DD');
  longest integer := (select coalesce(max(retention_days), 3660) from project);
  conversations_end timestamp := date_trunc('month', (now() at time zone 'UTC') - longest * interval '1 day');
  names text[];
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('octavo partitions'));
  -- All names first: a table cannot be dropped while the query that found it still reads it.
  select coalesce(array_agg(c.relname::text), '{}') into names
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where (i.inhparent = 'turn'::regclass and c.relname < turns_end
          -- An accepted question is published first.
          and not exists (select from turn t where t.conversation_id is null and t.tableoid = c.oid))
      or (i.inhparent in ('conversation'::regclass, 'conversation_detail'::regclass, 'conversation_feedback'::regclass)
          and c.relname ~ '_\d{4}_\d{2}$' and right(c.relname, 7) < to_char(conversations_end, 'YYYY_MM'))
      or (i.inhparent = 'event_hour'::regclass
          and c.relname < 'event_hour_' || to_char((now() at time zone 'UTC') - interval '30 days', 'YYYY_MM_DD'))
      or (i.inhparent = 'event_day'::regclass
          and c.relname < 'event_day_' || to_char((now() at time zone 'UTC') - interval '25 months', 'YYYY_MM'));
  foreach name in array names loop
    execute format('drop table %I', name);
  end loop;
  delete from import_receipt where at < now() - interval '7 days';
  if cardinality(names) > 0 then
    delete from conversation_day d where d.day < conversations_end::date;
    delete from gap_conversation m where m.conversation_id < ulid_floor(conversations_end at time zone 'UTC');
    delete from gap g where not exists (
      select from gap_conversation m where m.project_id = g.project_id and m.gap_id = g.id);
    delete from gap_forecast f where f.at < now() - interval '30 days';
  end if;
  return cardinality(names);
end
$function$
;

CREATE OR REPLACE FUNCTION public.earlier_preview_roots(p_project bigint, p_branch text, p_shown text)
 RETURNS bytea[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(e.root), '{}') from (
    select d.root from deployment d
     where d.project_id = p_project and d.target = 'preview' and d.branch = p_branch and d.id <> p_shown
       and d.state = 'ready' and d.finished_at > now() - interval '1 day'
     order by d.number desc limit 10) e
$function$
;

CREATE OR REPLACE FUNCTION public.earlier_roots(p_project bigint, p_live text)
 RETURNS bytea[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(e.root), '{}') from (
    select d.root from deployment d
     where d.project_id = p_project and d.id <> p_live and d.state = 'ready'
       and d.superseded_at > now() - interval '30 days'
     group by d.root order by max(d.superseded_at) desc limit 50) e
$function$
;

CREATE OR REPLACE FUNCTION public.end_move(p_project bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update project p set deleted_at = clock_timestamp()
   where p.id = p_project and p.moving_since is not null and p.deleted_at is null;
  if not found then return false; end if;
  perform tell_hosts(p_project);
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.ended_state(p_build build)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when exists (
    select from build b where b.project_id = current_project() and b.ref = p_build.ref and b.target = p_build.target
      and b.number > p_build.number) then 'superseded' else 'cancelled' end
$function$
;

CREATE OR REPLACE FUNCTION public.ensure_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
  day timestamp := date_trunc('day', now() at time zone 'UTC') - interval '1 day';
  made integer := 0;
  name text;
begin
  -- One at a time, whoever calls.
  perform pg_advisory_xact_lock(hashtext('octavo partitions'));
  if to_regclass('conversation_history') is null then
    perform attach_partition('conversation', 'conversation_history', '', ulid_floor(month at time zone 'UTC'));
  end if;
  -- The last hours of yesterday may be told today.
  made := made + attach_partition('event_day', 'event_day_' || to_char(month - interval '1 month', 'YYYY_MM'),
    (month - interval '1 month')::date::text, month::date::text)::integer;
  for step in 0 .. 3 loop
    foreach name in array array['conversation', 'conversation_detail', 'conversation_feedback'] loop
      made := made + attach_partition(name, name || '_' || to_char(month, 'YYYY_MM'),
        ulid_floor(month at time zone 'UTC'), ulid_floor((month + interval '1 month') at time zone 'UTC'))::integer;
    end loop;
    made := made + attach_partition('event_day', 'event_day_' || to_char(month, 'YYYY_MM'),
      month::date::text, (month + interval '1 month')::date::text)::integer;
    month := month + interval '1 month';
  end loop;
  for step in -1 .. 14 loop
    made := made + attach_partition('turn', 'turn_' || to_char(day, 'YYYY_MM_DD'),
      ulid_floor(day at time zone 'UTC'), ulid_floor((day + interval '1 day') at time zone 'UTC'))::integer;
    made := made + attach_partition('event_hour', 'event_hour_' || to_char(day, 'YYYY_MM_DD'),
      (day at time zone 'UTC')::text, ((day + interval '1 day') at time zone 'UTC')::text)::integer;
    day := day + interval '1 day';
  end loop;
  return made;
end
$function$
;

CREATE OR REPLACE FUNCTION public.erase_conversations(p_id text, p_reader text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := lock_project();
  ids text[];
  erased integer;
begin
  with gone as (
    delete from conversation c
     where c.project_id = project and (c.id = p_id or c.reader = p_reader) returning c.id
  ), noted as (
    insert into erased_conversation (project_id, id) select project, g.id from gone g
    on conflict do nothing
  )
  select array_agg(g.id), count(*) into ids, erased from gone g;
  perform forget_details(ids);
  -- Of questions that are being answered, what they may cost stays counted as used.
  perform settle_turn(t, json_build_object('usedTokens', t.reserved_tokens))
    from turn t where t.project_id = project and t.reader = p_reader and t.conversation_id is null;
  delete from turn t where t.project_id = project and t.reader = p_reader;
  return erased;
end
$function$
;

CREATE OR REPLACE FUNCTION public.erase_organisations()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  erased integer;
begin
  delete from organisation o
   where o.deleted_at < now() - deletion_grace()
     and not exists (select from project p where p.organisation_id = o.id);
  get diagnostics erased = row_count;
  return erased;
end
$function$
;

CREATE OR REPLACE FUNCTION public.erase_project(p_project bigint, p_limit integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  erased project;
  one record;
  removed integer;
begin
  select * into erased from project p
   where p.id = p_project and p.deleted_at < now() - deletion_grace() for update;
  if erased.id is null then return false; end if;
  for one in select * from project_tables() loop
    execute format('delete from %1$I where (%2$s) in (select %2$s from %1$I where project_id = $1 %3$s limit $2)',
        one.name, one.key_columns,
        case when one.has_organisation then 'and organisation_id = $3' else 'order by ' || one.key_columns end)
      using p_project, p_limit, erased.organisation_id;
    get diagnostics removed = row_count;
    if removed > 0 then return true; end if;
  end loop;
  delete from jobs.job j where j.singleton_key = p_project::text;
  insert into audit_event (organisation_id, actor, action, object, before)
    values (erased.organisation_id, 'service', 'project.erase', erased.public_id,
            jsonb_build_object('name', erased.name, 'slug', erased.slug));
  delete from project p where p.id = p_project;
  return false;
end
$function$
;

CREATE OR REPLACE FUNCTION public.event_subjects_max()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$ select 1000 $function$
;

CREATE OR REPLACE FUNCTION public.expire_conversations(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  days integer := (select p.retention_days from project p
                    where p.organisation_id = current_organisation() and p.id = project);
  ids text[] := array(
    select o.id from conversation o
     where o.project_id = project and o.id < ulid_floor(now() - days * interval '1 day')
     order by o.id limit p_limit);
  expired integer;
begin
  delete from conversation c where c.project_id = project and c.id = any (ids);
  get diagnostics expired = row_count;
  perform forget_details(ids);
  return expired;
end
$function$
;

CREATE OR REPLACE FUNCTION public.expire_previews()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  expired integer;
begin
  delete from preview where expires_at < now() - interval '1 hour';
  get diagnostics expired = row_count;
  return expired;
end
$function$
;

CREATE OR REPLACE FUNCTION public.expire_uploads()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  expired integer;
begin
  update deployment set state = 'expired', finished_at = now()
   where state = 'uploading' and created_at < now() - interval '24 hours';
  get diagnostics expired = row_count;
  return expired;
end
$function$
;

CREATE OR REPLACE FUNCTION public.fence_conversations(p_seal_ms bigint)
 RETURNS pg_lsn
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
begin
  if project is null then raise exception 'no project is set'; end if;
  if exists (select from project_sequence s where s.project_id = project and s.last_ms < p_seal_ms) then
    perform pg_advisory_xact_lock(project);
    update project_sequence set last_ms = p_seal_ms, last_counter = 0
     where project_id = project and last_ms < p_seal_ms;
  else
    perform pg_advisory_xact_lock_shared(project);
  end if;
  return pg_current_wal_insert_lsn();
end
$function$
;

CREATE OR REPLACE FUNCTION public.find_api_key(p_hash bytea)
 RETURNS TABLE(organisation_id bigint, project_id bigint, key_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, k.project_id, k.id
    from api_key k join project p on p.id = k.project_id
   where k.token_hash = p_hash and p.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.find_changed_sites(p_seconds integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint, public_id text, slug text, protection text, deployment_id text, root bytea, earlier bytea[], playground_proxy boolean, preview json, is_archived boolean, moved_to text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id, p.public_id, s.slug, p.protection, d.id, d.root, earlier_roots(p.id, d.id), allows_proxy(p.settings), null::json,
         is_archived(p), moved_to(p, s.slug)
    from publication u
    join project p on p.id = u.project_id
    join project_slug s on s.project_id = p.id
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
     and d.state = 'ready' and is_served(p) and p.slug = s.slug
   where u.changed_at >= now() - p_seconds * interval '1 second'
  union all
  select p.organisation_id, p.id, p.public_id, 'preview/' || v.name, preview_protection(p), d.id, d.root, earlier_preview_roots(p.id, v.branch, d.id), allows_proxy(p.settings), preview_facts(v, p),
         is_archived(p), null
    from preview v
    join project p on p.id = v.project_id
    left join deployment d on d.project_id = v.project_id and d.id = v.deployment_id and v.expires_at > now()
     and d.state = 'ready' and is_served(p)
   where v.changed_at >= now() - p_seconds * interval '1 second'
      or v.expires_at between now() - p_seconds * interval '1 second' and now()
$function$
;

CREATE OR REPLACE FUNCTION public.find_deleted_blobs(p_digests bytea[], p_began timestamp with time zone)
 RETURNS SETOF bytea
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select c.sha256 from collected_blob c
   where c.sha256 = any (p_digests) and (c.finished_at is null or c.finished_at >= p_began)
$function$
;

CREATE OR REPLACE FUNCTION public.find_erasable_projects(p_limit integer)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.id from project p where p.deleted_at < now() - deletion_grace() order by p.deleted_at limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_expired_projects(p_after bigint, p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id
    from project p
   where p.id > p_after and p.moving_since is null and exists (
     select from conversation c
      where c.project_id = p.id and c.id < ulid_floor(now() - p.retention_days * interval '1 day'))
   order by p.id limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_gap_work(p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, w.project_id from gap_work w
    join project p on p.id = w.project_id and p.archived_at is null and p.deleted_at is null
   order by w.since limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_hook(p_hook_id text)
 RETURNS TABLE(organisation_id bigint, project_id bigint, is_archived boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, c.project_id, p.archived_at is not null
    from connection c join project p on p.id = c.project_id
   where c.hook_id = p_hook_id and p.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.find_idle_builds(p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  -- The tables of the queue are created after the functions.
  return query select p.organisation_id, p.id from project p
   where exists (select from build b where b.project_id = p.id and b.state in ('queued', 'fetching', 'building', 'uploading'))
     and not exists (select from jobs.job j where j.name = 'build' and j.singleton_key = p.id::text and j.state in ('created', 'retry', 'active'))
   order by p.id limit p_limit;
end
$function$
;

CREATE OR REPLACE FUNCTION public.find_installed_projects(p_installation bigint)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id
    from connection c join project p on p.id = c.project_id
   where c.installation_id = p_installation and c.credential = 'github-app'
     and p.archived_at is null and p.deleted_at is null
   order by p.id
$function$
;

CREATE OR REPLACE FUNCTION public.find_invitation(p_hash bytea)
 RETURNS TABLE(organisation_id bigint, invitation_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select i.organisation_id, i.id from invitation i where i.token_hash = p_hash and i.expires_at > now()
$function$
;

CREATE OR REPLACE FUNCTION public.find_member_site(p_user bigint, p_slug text, p_domain text)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  with site as (
    select p.id, p.organisation_id from project p where p.slug = p_slug and is_served(p)
    union all
    select p.id, p.organisation_id from preview v join project p on p.id = v.project_id
     where p_slug like 'preview/%' and v.name = substr(p_slug, 9) and v.expires_at > now() and is_served(p)
    union all
    select p.id, p.organisation_id from find_served_domains() d join project p on p.slug = d.slug
     where d.name = p_domain and d.redirect_to is null)
  select s.id from site s
    join membership m on m.organisation_id = s.organisation_id and m.user_id = p_user
     and (m.project_id is null or m.project_id = s.id)
    join app_user u on u.id = m.user_id and u.disabled_at is null
   limit 1
$function$
;

CREATE OR REPLACE FUNCTION public.find_memberships(p_user bigint)
 RETURNS TABLE(organisation_id bigint, project_id bigint, role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select m.organisation_id, m.project_id, m.role
    from membership m join organisation o on o.id = m.organisation_id and o.deleted_at is null
   where m.user_id = p_user
   order by 1, 2 nulls first
$function$
;

CREATE OR REPLACE FUNCTION public.find_notice_work(p_limit integer, p_build_age interval, p_key_time interval)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  -- The tables of the queue are created after the functions.
  return query select p.organisation_id, p.id
    from (select w.project_id from notice_work w
          union
          select b.project_id from build b
           where b.state = 'failed' and b.target = 'production' and b.finished_at > now() - p_build_age
             and not exists (select from notice n
                              where n.project_id = b.project_id and n.kind = 'build.failed' and n.subject = b.id)
          union
          select k.project_id from api_key k
           where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + p_key_time
             and k.expires_at - k.created_at > p_key_time
             and not exists (select from notice n where n.project_id = k.project_id and n.kind = 'key.expiring'
                                and n.subject = key_expiry(k.id, k.expires_at))
          union
          select c.project_id from domain_claim c
           where domain_loss(c) is not null
             and not exists (select from notice n where n.project_id = c.project_id and n.kind = 'domain.lost'
                                and n.subject = domain_loss(c))
          union
          select n.project_id from notice n
           where n.delivered_at is null and n.at > now() - interval '1 day'
             and not exists (select from jobs.job j where j.name = 'notices' and j.singleton_key = n.project_id::text
                                and j.state in ('created', 'retry', 'active'))) d
    join project p on p.id = d.project_id and is_served(p)
   limit p_limit;
end
$function$
;

CREATE OR REPLACE FUNCTION public.find_open_turns(p_before text, p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint, turn_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, t.project_id, t.id
    from turn t join project p on p.id = t.project_id
   where t.conversation_id is null and p.moving_since is null
     and case when t.leased_until is null then t.id < p_before else t.leased_until < clock_timestamp() end
   order by t.id limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_organisation_role(p_user bigint, p_public_id text)
 RETURNS TABLE(organisation_id bigint, role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select o.id, m.role
    from organisation o
    join membership m on m.organisation_id = o.id and m.user_id = p_user and m.project_id is null
   where o.public_id = p_public_id and o.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.find_passkey(p_credential bytea)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select k.user_id from passkey k join app_user u on u.id = k.user_id
   where k.credential_id = p_credential and u.disabled_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.find_project(p_public_id text)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id from project p where p.public_id = p_public_id and p.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.find_project_role(p_user bigint, p_public_id text)
 RETURNS TABLE(organisation_id bigint, project_id bigint, role text, is_archived boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id, m.role, p.archived_at is not null
    from project p
    join membership m on m.organisation_id = p.organisation_id and m.user_id = p_user
     and (m.project_id is null or m.project_id = p.id)
   where p.public_id = p_public_id and p.deleted_at is null
   order by role_rank(m.role) desc limit 1
$function$
;

CREATE OR REPLACE FUNCTION public.find_readers(p_hashes bytea[])
 RETURNS TABLE(token_hash bytea, project_id bigint, way text, host text, groups text[], expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select s.token_hash, s.project_id, s.way, s.host,
         case when s.way = 'members' then array[r.role] else s.groups end, s.expires_at
    from reader_session s
    join project p on p.id = s.project_id and p.deleted_at is null
    left join site_access a on a.project_id = s.project_id
    left join app_user u on u.id = s.user_id
    left join lateral (
      select m.role from membership m
       where m.organisation_id = p.organisation_id and m.user_id = s.user_id
         and (m.project_id is null or m.project_id = p.id)
       order by role_rank(m.role) desc limit 1) r on true
   where s.token_hash = any (p_hashes) and s.expires_at > now() and s.epoch = coalesce(a.epoch, 0)
     and (s.way <> 'members' or (r.role is not null and u.disabled_at is null))
$function$
;

CREATE OR REPLACE FUNCTION public.find_secret_keys()
 RETURNS TABLE(key_id text, secrets integer, organisation_id bigint, project_id bigint, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select distinct on (s.key_id) s.key_id, count(*) over (partition by s.key_id)::integer, p.organisation_id, p.id, s.name
    from secret s join project p on p.id = s.project_id
   order by s.key_id, s.updated_at desc
$function$
;

CREATE OR REPLACE FUNCTION public.find_served_domains()
 RETURNS TABLE(name text, slug text, redirect_to text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select c.name, p.slug, case when c.redirects then (
      select o.name from domain_claim o
       where o.project_id = c.project_id and o.name = domain_counterpart(c.name) and not o.redirects
         and o.state = 'active' and (o.missing_since is null or o.missing_since > now() - domain_grace()))
    end
    from domain_claim c join project p on p.id = c.project_id
   where c.state = 'active' and (c.missing_since is null or c.missing_since > now() - domain_grace()) and is_served(p)
$function$
;

CREATE OR REPLACE FUNCTION public.find_session(p_hash bytea)
 RETURNS TABLE(user_id bigint, session_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select s.user_id, s.id from user_session s where s.token_hash = p_hash
$function$
;

CREATE OR REPLACE FUNCTION public.find_site(p_slug text)
 RETURNS TABLE(organisation_id bigint, project_id bigint, public_id text, slug text, protection text, deployment_id text, root bytea, earlier bytea[], playground_proxy boolean, preview json, is_archived boolean, moved_to text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id, p.public_id, s.slug, p.protection, d.id, d.root, earlier_roots(p.id, d.id), allows_proxy(p.settings), null::json,
         is_archived(p), moved_to(p, s.slug)
    from project_slug s
    join project p on p.id = s.project_id
    left join publication u on u.project_id = p.id
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
     and d.state = 'ready' and is_served(p) and p.slug = s.slug
   where s.slug = p_slug
  union all
  select p.organisation_id, p.id, p.public_id, p_slug, preview_protection(p), d.id, d.root, earlier_preview_roots(p.id, v.branch, d.id), allows_proxy(p.settings), preview_facts(v, p),
         is_archived(p), null
    from preview v
    join project p on p.id = v.project_id
    left join deployment d on d.project_id = v.project_id and d.id = v.deployment_id and v.expires_at > now()
     and d.state = 'ready' and is_served(p)
   where p_slug like 'preview/%' and v.name = substr(p_slug, 9)
$function$
;

CREATE OR REPLACE FUNCTION public.find_uncollected_projects(p_seconds integer, p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select distinct p.organisation_id, p.id
    from deployment d join project p on p.id = d.project_id
   where p.moving_since is null and d.collected_at is null and d.finished_at < now() - p_seconds * interval '1 second'
   limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_unsorted_questions(p_limit integer)
 RETURNS TABLE(id text, query text, deployment_id text)
 LANGUAGE sql
 STABLE
AS $function$
  select c.id, c.query, d.deployment_id
    from conversation_detail d
    join conversation c on c.project_id = d.project_id and c.id = d.id
   where d.project_id = current_project() and d.reason in ('declared', 'no-sources', 'low-support')
     and c.query_category is distinct from 'off-topic'
     and not exists (select from gap_conversation s where s.project_id = d.project_id and s.conversation_id = d.id)
     and d.id > coalesce(
       (select max(g.conversation_id) from gap_conversation g where g.project_id = current_project()), '')
   order by d.id limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_untold_projects(p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select p.organisation_id, p.id
    from project p
   where p.moving_since is null and exists (
     select from build b
      where b.project_id = p.id and b.state is distinct from b.told_state
        and greatest(b.created_at, b.started_at, b.finished_at)
            between now() - interval '1 day' and now() - interval '1 minute')
   order by p.id limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.find_vector_work(p_model text, p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select distinct p.organisation_id, p.id
    from (select u.project_id, u.deployment_id from publication u where u.deployment_id is not null
          union all
          select v.project_id, v.deployment_id from preview v where v.runs_scripts and v.expires_at > now()) s
    join project p on p.id = s.project_id and is_served(p)
    join deployment d on d.project_id = s.project_id and d.id = s.deployment_id and d.state = 'ready'
   where not exists (
     select from deployment_vectors w
      where w.project_id = s.project_id and w.deployment_id = s.deployment_id and w.model = p_model
        and (w.try_after is null or w.try_after > now()))
   limit p_limit
$function$
;

CREATE OR REPLACE FUNCTION public.forget_act_counts()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from act_count where began_at < now() - interval '1 day';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_details(p_ids text[])
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from conversation_detail d where d.project_id = current_project() and d.id = any (p_ids);
  delete from conversation_feedback f where f.project_id = current_project() and f.id = any (p_ids);
  delete from gap_conversation m where m.project_id = current_project() and m.conversation_id = any (p_ids);
  delete from gap g where g.project_id = current_project() and not exists (
    select from gap_conversation m where m.project_id = g.project_id and m.gap_id = g.id);
$function$
;

CREATE OR REPLACE FUNCTION public.forget_domains()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from domain_claim c
   where c.ended_at < now() - domain_quarantine()
      or (c.state = 'waiting' and c.created_at < now() - domain_quarantine());
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_hook_deliveries()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from hook_delivery where received_at < now() - interval '30 days';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_job_tokens()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from api_key
   where kind = 'deploy' and expires_at < now() - interval '7 days'
     and expires_at - created_at <= interval '1 hour';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_readers()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from reader_session where expires_at < now();
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_sessions(p_idle interval)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from sign_in_link where expires_at < now();
  delete from invitation where expires_at < now() - interval '30 days';
  delete from user_session
   where expires_at < now() or (kind = 'browser' and last_seen_at < now() - p_idle);
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_sign_ins()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  forgotten integer;
begin
  delete from spent_token where expires_at < now();
  delete from sign_in_count where began_at < now() - interval '1 day';
  delete from device_request where expires_at < now();
  delete from sign_in_code where expires_at < now();
  get diagnostics forgotten = row_count;
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.forget_visitors()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  today date := (now() - interval '1 hour') at time zone 'UTC';
  forgotten integer;
begin
  delete from visitor_salt s where s.day < today;
  delete from visitor_set v where v.day < today;
  get diagnostics forgotten = row_count;
  delete from event_batch b where b.at < now() - interval '7 days';
  return forgotten;
end
$function$
;

CREATE OR REPLACE FUNCTION public.guard_domain_claim()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  own bigint := nullif(current_setting('octavo.project_id', true), '')::bigint;
begin
  if own is null or coalesce(old.project_id, new.project_id) = own then null;
  elsif tg_op = 'UPDATE' and old.state = 'active' and new.state = 'lost' then null;
  elsif tg_op = 'DELETE' and old.state = 'removed' and exists (
    select from project a join project b on a.organisation_id = b.organisation_id
     where a.id = old.project_id and b.id = own) then null;
  else raise exception 'this domain belongs to another project';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.has_users()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select exists (select from app_user)
$function$
;

CREATE OR REPLACE FUNCTION public.history_id(ms bigint, turn text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case
    when turn ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' and left(turn, 10) = base32(ms, 10) then turn
    else base32(ms, 10)
      || base32(('x' || encode(substr(sha256(convert_to(turn, 'UTF8')), 1, 5), 'hex'))::bit(40)::bigint, 8)
      || base32(('x' || encode(substr(sha256(convert_to(turn, 'UTF8')), 6, 5), 'hex'))::bit(40)::bigint, 8)
  end
$function$
;

CREATE OR REPLACE FUNCTION public.import_conversations(p_turns json, OUT ids text[], OUT first_id text, OUT last_id text, OUT backfilled integer, OUT problem text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := lock_project();
  sequence project_sequence;
  at_now bigint;
  t record;
  existing text;
  new_id text;
  at_ms bigint;
begin
  ids := '{}';
  backfilled := 0;
  select * into strict sequence from project_sequence where project_id = project;
  at_now := now_ms();
  -- A project that has published nothing takes all history there is.
  if sequence.last_ms = 0 then sequence.last_ms := at_now; end if;

  select format('The timestamp of turn %s is not before the newest conversation of the project; leave `timestamp` out to record it now.', j->>'turnId')
    into problem
    from json_array_elements(p_turns) as j
   where (j->>'atMs')::bigint >= least(sequence.last_ms, at_now)
     and not exists (select from conversation c
       where c.project_id = project and c.id = history_id((j->>'atMs')::bigint, j->>'turnId'))
   limit 1;
  if problem is not null then return; end if;

  for t in select j from json_array_elements(p_turns) as j loop
    at_ms := (t.j->>'atMs')::bigint;
    if at_ms is null then
      select r.conversation_id into existing
        from import_receipt r where r.project_id = project and r.turn_id = t.j->>'turnId';
      if existing is not null then
        ids := ids || existing;
        continue;
      end if;
      select n.ms, n.counter into sequence.last_ms, sequence.last_counter
        from next_position(sequence.last_ms, sequence.last_counter, at_now) n;
      new_id := make_ulid(sequence.last_ms, sequence.last_counter);
      at_ms := sequence.last_ms;
      insert into import_receipt (project_id, turn_id, conversation_id)
        values (project, t.j->>'turnId', new_id);
    else
      new_id := history_id(at_ms, t.j->>'turnId');
      ids := ids || new_id;
      if exists (select from erased_conversation e where e.project_id = project and e.id = new_id)
        or exists (select from conversation c where c.project_id = project and c.id = new_id)
      then continue; end if;
      backfilled := backfilled + 1;
      first_id := least(first_id, new_id);
      last_id := greatest(last_id, new_id);
    end if;
    insert into conversation (project_id, id, recorded_at, query, response, sources,
        resolution_status, query_category, thread_id, page_url)
      values (project, new_id, to_timestamp(at_ms / 1000.0), t.j->>'query', t.j->>'response',
        t.j->'sources', t.j->>'resolutionStatus', t.j->>'queryCategory', t.j->>'threadId', t.j->>'pageUrl');
    if (t.j->>'atMs') is null then ids := ids || new_id; end if;
  end loop;
  update project_sequence set last_ms = sequence.last_ms, last_counter = sequence.last_counter
   where project_id = project;
  if backfilled > 0 then
    insert into backfill (project_id, first_id, last_id, conversation_count)
      values (project, first_id, last_id, backfilled);
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.instant_micros(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (extract(epoch from at) * 1000000)::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.instant_of(micros bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select timestamptz 'epoch' + micros * interval '1 microsecond'
$function$
;

CREATE OR REPLACE FUNCTION public.is_archived(p project)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p.archived_at is not null and p.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.is_budget_near(p_tokens bigint, p_max bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_max > 0 and p_tokens * 5 >= p_max * 4
$function$
;

CREATE OR REPLACE FUNCTION public.is_served(p project)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p.suspended_reason is null and p.archived_at is null and p.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.is_suspended()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select not is_served(p) from project p
   where p.organisation_id = current_organisation() and p.id = current_project()
$function$
;

CREATE OR REPLACE FUNCTION public.is_working_token(s reader_session)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select s.way = 'token' and s.expires_at > now() and s.epoch = reader_epoch()
$function$
;

CREATE OR REPLACE FUNCTION public.keep_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  insert into project_slug (project_id, slug) values (new.id, new.slug) on conflict (slug) do nothing;
  if not exists (select from project_slug s where s.project_id = new.id and s.slug = new.slug) then
    raise unique_violation using message = 'the slug was taken before', constraint = 'project_slug_slug_key';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.key_expiry(p_key bigint, p_expires_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select p_key || '-' || floor(extract(epoch from p_expires_at))
$function$
;

CREATE OR REPLACE FUNCTION public.lock_project()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
begin
  if project is null then raise exception 'no project is set'; end if;
  perform pg_advisory_xact_lock(project);
  return project;
end
$function$
;

CREATE OR REPLACE FUNCTION public.make_partitions_for(p_table text, p_days date[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  step interval := case when p_table in ('turn', 'event_hour') then interval '1 day' else interval '1 month' end;
  -- Older conversations are in one partition.
  history_end text := (
    select (regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$TO \('([^']*)'\)$re$))[1]
      from pg_class c where c.oid = to_regclass('conversation_history') and p_table = 'conversation');
  start timestamp;
  made integer := 0;
  bounds text[];
begin
  perform pg_advisory_xact_lock(hashtext('octavo partitions'));
  for start in
    select distinct date_trunc(case step when interval '1 day' then 'day' else 'month' end, d::timestamp)
      from unnest(p_days) d order by 1
  loop
    bounds := case p_table
      when 'event_day' then array[start::date::text, (start + step)::date::text]
      when 'event_hour' then array[(start at time zone 'UTC')::text, ((start + step) at time zone 'UTC')::text]
      else array[ulid_floor(start at time zone 'UTC'), ulid_floor((start + step) at time zone 'UTC')] end;
    continue when bounds[1] < history_end;
    made := made + attach_partition(p_table,
      p_table || '_' || to_char(start, case step when interval '1 day' then 'YYYY_MM_DD' else 'YYYY_MM' end),
      bounds[1], bounds[2])::integer;
  end loop;
  return made;
end
$function$
;

CREATE OR REPLACE FUNCTION public.make_ulid(ms bigint, counter integer)
 RETURNS text
 LANGUAGE plpgsql
 STRICT
AS $function$
begin
  return base32(ms, 10) || base32(counter, 4)
      || base32(('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::bit(60)::bigint, 12);
end
$function$
;

CREATE OR REPLACE FUNCTION public.may_sign_in_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select has_users() and coalesce(
    (select u.disabled_at is null from app_user u where u.email = p_email),
    p_may_join or (p_may_be_invited and exists (
      select from invitation i where i.email = p_email and i.expires_at > now())))
$function$
;

CREATE OR REPLACE FUNCTION public.moved_to(p project, p_slug text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p.slug where p.slug <> p_slug and p.archived_at is null and p.deleted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.moving_lock(p_project bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select hashtextextended('octavo moving', p_project)
$function$
;

CREATE OR REPLACE FUNCTION public.next_position(last_ms bigint, last_counter integer, at_ms bigint, OUT ms bigint, OUT counter integer)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  ms := case when at_ms > last_ms then at_ms when last_counter < 1048575 then last_ms else last_ms + 1 end;
  counter := case when at_ms > last_ms or last_counter >= 1048575 then 0 else last_counter + 1 end;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_budget_use(p_day boolean, p_month boolean)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into notice_work (project_id)
    select current_project()
      from (values ('day', p_day), ('month', p_month)) as b (period, is_near)
     where b.is_near and not exists (
       select from notice n
        where n.project_id = current_project() and n.kind = 'assistant.budget' and n.subject = budget_period(b.period))
     limit 1
    on conflict (project_id) do nothing
$function$
;

CREATE OR REPLACE FUNCTION public.note_gap_deployment()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from gap g where g.project_id = current_project()) then
    perform note_gap_work();
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_gap_work()
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into gap_work as w (project_id) values (current_project())
    on conflict (project_id) do update set since = clock_timestamp()
$function$
;

CREATE OR REPLACE FUNCTION public.note_key_uses(p_projects bigint[], p_keys bigint[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  update api_key k set last_used_at = now()
    from unnest(p_projects, p_keys) as u (project_id, key_id)
   where k.project_id = u.project_id and k.id = u.key_id
$function$
;

CREATE OR REPLACE FUNCTION public.now_ms()
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.pending_vectors(p_model text)
 RETURNS TABLE(id text, root bytea, embedded integer, is_recent boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select d.id, d.root, coalesce(w.embedded, 0),
         greatest(d.published_at, d.finished_at) > now() - interval '1 hour'
    from deployment d
    left join deployment_vectors w
      on w.project_id = current_project() and w.deployment_id = d.id and w.model = p_model
   where d.project_id = current_project() and d.state = 'ready'
     and (w.model is null or w.try_after <= now())
     and (exists (select from publication p where p.project_id = current_project() and p.deployment_id = d.id)
       or exists (select from preview v where v.project_id = current_project() and v.deployment_id = d.id
                     and v.runs_scripts and v.expires_at > now()))
   order by d.target = 'preview', d.number desc
$function$
;

CREATE OR REPLACE FUNCTION public.poll_device_request(p_device bytea, p_interval interval)
 RETURNS TABLE(state text, user_id bigint, device text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  row device_request;
begin
  select * into row from device_request d where d.device_hash = p_device and d.expires_at > now() for update;
  if row.device_hash is null then return query select 'expired', null::bigint, ''; return; end if;
  if row.user_id is not null then
    delete from device_request d where d.device_hash = p_device;
    if row.is_denied then return query select 'denied', null::bigint, row.device;
    else return query select 'allowed', row.user_id, row.device;
    end if;
    return;
  end if;
  update device_request d set polled_at = now() where d.device_hash = p_device;
  return query select
    case when row.polled_at > now() - p_interval then 'slow-down' else 'pending' end, null::bigint, row.device;
end
$function$
;

CREATE OR REPLACE FUNCTION public.preview_facts(v preview, p project)
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
  select json_build_object('liveSlug', p.slug, 'branch', v.branch, 'runsScripts', v.runs_scripts)
$function$
;

CREATE OR REPLACE FUNCTION public.preview_protection(p project)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
      when a.previews = 'members' then 'members'
      when a.previews = 'site' then p.protection
      when coalesce(c.is_private, c.credential <> 'none') then 'members'
      else p.protection end
    from (select p.id) one
    left join site_access a on a.project_id = one.id
    left join connection c on c.project_id = one.id
$function$
;

CREATE OR REPLACE FUNCTION public.project_tables()
 RETURNS TABLE(name text, key_columns text, has_organisation boolean)
 LANGUAGE sql
 STABLE
AS $function$
  with recursive tenant_table as (
    select c.oid, c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition),
  place as (
    select t.oid, 0 as depth from tenant_table t
    union all
    select k.conrelid, p.depth + 1
      from place p join pg_constraint k on k.confrelid = p.oid and k.contype = 'f' and k.conrelid <> k.confrelid
      join tenant_table t on t.oid = k.conrelid
     where p.depth < 20)
  select t.relname::text,
         (select string_agg(format('%I', a.attname), ', ' order by array_position(i.indkey::int2[], a.attnum))
            from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
           where i.indrelid = t.oid and i.indisprimary),
         exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'organisation_id' and not a.attisdropped)
    from tenant_table t
   order by (select max(p.depth) from place p where p.oid = t.oid) desc, t.relname
$function$
;

CREATE OR REPLACE FUNCTION public.prove_domain(p_name text, p_common text[], p_any text[], p_seconds double precision)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  own domain_claim;
  holder domain_claim;
begin
  -- One decision about a name at a time.
  perform pg_advisory_xact_lock(hashtextextended('domain ' || p_name, 0));
  select * into own from domain_claim c
   where c.project_id = current_project() and c.name = p_name and c.state <> 'removed' for update;
  if own.name is null then return 'none'; end if;
  if not own.token = any (p_common) then
    if own.state <> 'active' then return own.state; end if;
    update domain_claim c
       set missing_since = coalesce(c.missing_since, now()),
           state = case when c.missing_since <= now() - domain_grace() then 'lapsed' else c.state end,
           ended_at = case when c.missing_since <= now() - domain_grace() then now() end
     where c.project_id = own.project_id and c.name = p_name
    returning c.state into own.state;
    return own.state;
  end if;
  select * into holder from domain_claim c
   where c.name = p_name and c.state = 'active' and c.project_id <> own.project_id for update;
  if holder.name is not null then
    if exists (select from project p where p.id = holder.project_id and p.deleted_at is null)
       and (holder.token = any (p_any) or holder.seen_at > clock_timestamp() - make_interval(secs => p_seconds))
    then return 'held'; end if;
    update domain_claim c set state = 'lost', ended_at = now(), missing_since = null
     where c.project_id = holder.project_id and c.name = p_name;
    insert into audit_event (organisation_id, project_id, actor, action, object)
      select p.organisation_id, p.id, 'service', 'domain.lost', p_name from project p where p.id = holder.project_id;
  end if;
  update domain_claim c
     set state = 'active', seen_at = clock_timestamp(), missing_since = null, ended_at = null
   where c.project_id = own.project_id and c.name = p_name;
  return 'active';
end
$function$
;

CREATE OR REPLACE FUNCTION public.publish_answer(p_turn text, p_lease text, p_answer json)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := lock_project();
  asked turn;
  answer json := p_answer;
  position record;
  new_id text;
begin
  select * into asked from turn where project_id = project and id = p_turn;
  if asked.id is null then return null; end if;
  if asked.conversation_id is not null then
    return case when p_lease is null or p_lease = asked.lease then asked.conversation_id end;
  end if;
  if asked.lease is distinct from p_lease then
    if p_lease is not null or asked.leased_until > clock_timestamp() then return null; end if;
    answer := json_build_object('response', coalesce(asked.saved_text, ''), 'sources', json '[]',
      'status', 'unanswered', 'reason', 'interrupted', 'usedTokens', asked.reserved_tokens);
  end if;
  perform settle_turn(asked, answer);
  -- Of a preview nothing is recorded.
  if asked.query is null then
    delete from turn where project_id = project and id = p_turn;
    return p_turn;
  end if;
  select n.ms, n.counter into strict position
    from project_sequence s, next_position(s.last_ms, s.last_counter, now_ms()) n
   where s.project_id = project;
  update project_sequence set last_ms = position.ms, last_counter = position.counter
   where project_id = project;
  new_id := make_ulid(position.ms, position.counter);
  insert into conversation (project_id, id, recorded_at, query, response, sources,
      resolution_status, query_category, thread_id, page_url, reader)
    values (project, new_id, to_timestamp(position.ms / 1000.0), asked.query, answer->>'response',
      answer->'sources', answer->>'status', answer->>'category', asked.thread_id, asked.page_url, asked.reader);
  if asked.lease is not null then
    insert into conversation_detail (project_id, id, reason, deployment_id, model, used_tokens, is_cached, nearest)
      values (project, new_id, answer->>'reason', asked.deployment_id, answer->>'model',
        coalesce((answer->>'usedTokens')::bigint, 0), coalesce((answer->>'isCached')::boolean, false), answer->'nearest');
    if answer->>'status' = 'unanswered' then perform note_gap_work(); end if;
  end if;
  update turn set conversation_id = new_id, query = null, thread_id = null, page_url = null, reader = null,
      saved_text = null, lease = p_lease, reserved_tokens = 0
   where project_id = project and id = p_turn;
  return new_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.publish_deployment(p_id text, p_automatic boolean, p_expected text, OUT outcome text, OUT live text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  pointer publication;
  wanted deployment;
  live_number bigint;
begin
  select * into strict pointer from publication p where p.project_id = project for update;
  live := pointer.deployment_id;
  -- Locked, so that it is not retired at the same time.
  select * into wanted from deployment d where d.project_id = project and d.id = p_id for update;
  select d.number into live_number from deployment d where d.project_id = project and d.id = live;
  outcome := case
    when wanted.state is distinct from 'ready' then 'not-ready'
    when is_suspended() then 'suspended'
    when live = p_id then 'live'
    when p_automatic and pointer.lock_reason is not null then 'locked'
    when p_automatic and live_number > wanted.number then 'older'
    when not p_automatic and p_expected is distinct from live then 'live-changed'
    else 'published' end;
  if outcome <> 'published' then return; end if;
  update publication p set deployment_id = p_id, changed_at = clock_timestamp(),
      lock_reason = case when live_number > wanted.number then coalesce(p.lock_reason, 'Rolled back to ' || p_id) else p.lock_reason end
   where p.project_id = project;
  update deployment d set superseded_at = now() where d.project_id = project and d.id = live;
  update deployment d set published_at = now(), superseded_at = null where d.project_id = project and d.id = p_id;
  -- Hosts that listen read the pointer at once; the others find it with their next poll.
  perform pg_notify('octavo_sites', p.slug) from project p where p.id = project;
  perform note_gap_deployment();
  live := p_id;
end
$function$
;

CREATE OR REPLACE FUNCTION public.publish_preview(p_id text, p_name text, p_days integer, p_max integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  wanted deployment;
  shown preview;
  shown_number bigint;
  is_own boolean;
begin
  -- One at a time, so a branch gets one name.
  perform from publication p where p.project_id = project for update;
  select * into wanted from deployment d where d.project_id = project and d.id = p_id;
  if wanted.state is distinct from 'ready' or wanted.target <> 'preview' then return 'not-ready'; end if;
  if is_suspended() then return 'suspended'; end if;
  select * into shown from preview v
   where v.project_id = project and v.branch = wanted.branch and v.expires_at > now();
  if shown.deployment_id = p_id then return 'live'; end if;
  select d.number into shown_number from deployment d where d.project_id = project and d.id = shown.deployment_id;
  if shown_number > wanted.number then return 'older'; end if;
  -- The deployment of a build has its number. Each push of a stranger has to be approved anew.
  is_own := not exists (
    select from build b where b.project_id = project and b.number = wanted.number and b.is_fork);
  if shown.name is null then
    if (select count(*) from preview v where v.project_id = project and v.expires_at > now()) >= p_max then
      return 'too-many';
    end if;
    insert into preview (project_id, name, branch, deployment_id, runs_scripts, expires_at)
      values (project, p_name, wanted.branch, p_id, is_own, now() + p_days * interval '1 day');
  else
    update preview v set deployment_id = p_id, runs_scripts = is_own, changed_at = clock_timestamp(),
        expires_at = now() + p_days * interval '1 day'
     where v.project_id = project and v.name = shown.name;
  end if;
  perform pg_notify('octavo_sites', 'preview/' || coalesce(shown.name, p_name));
  perform note_gap_deployment();
  return 'published';
end
$function$
;

CREATE OR REPLACE FUNCTION public.publish_turn(p_turn text, p_response text, p_sources json, p_status text, p_category text)
 RETURNS text
 LANGUAGE sql
AS $function$
  select publish_answer(p_turn, null, json_build_object(
    'response', p_response, 'sources', p_sources, 'status', p_status, 'category', p_category))
$function$
;

CREATE OR REPLACE FUNCTION public.random_id()
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select ('x0' || substr(translate(gen_random_uuid()::text, '-', ''), 18, 15))::bit(64)::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.read_device_request(p_code bytea)
 RETURNS TABLE(device text, address_prefix text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select d.device, d.address_prefix from device_request d
   where d.code_hash = p_code and d.expires_at > now() and d.user_id is null and not d.is_denied
$function$
;

CREATE OR REPLACE FUNCTION public.read_gaps(p_id text, p_states text[], p_before text, p_limit integer)
 RETURNS TABLE(gap json)
 LANGUAGE sql
 STABLE
AS $function$
  select json_build_object(
      'id', g.id, 'state', g.state, 'linkedPage', g.linked_page, 'openIn', g.open_in,
      'checkedIn', g.checked_in, 'closedIn', g.closed_in, 'sectionUrl', g.section_url,
      'sectionSha256', g.section_sha256, 'verifiedBy', g.verified_by, 'modelAskedIn', g.model_asked_in,
      'changedAt', g.changed_at, 'count', a.count, 'firstAskedAt', f.recorded_at,
      'lastAskedAt', l.recorded_at, 'nearest', coalesce(d.nearest, json '[]'), 'examples', e.queries)
    from (select * from gap o
           where o.project_id = current_project() and (p_id is null or o.id = p_id)
             and (p_states is null or o.state = any (p_states)) and (p_before is null or o.id < p_before)
           order by o.id desc limit p_limit) g
    cross join lateral (
      select count(*)::integer as count, min(c.conversation_id) as first_id, max(c.conversation_id) as last_id
        from gap_conversation c where c.project_id = current_project() and c.gap_id = g.id) a
    cross join lateral (
      select json_agg(n.query order by n.id desc) as queries from (
        select c.id, c.query from gap_conversation m
          join conversation c on c.project_id = m.project_id and c.id = m.conversation_id
         where m.project_id = current_project() and m.gap_id = g.id
         order by m.conversation_id desc limit 3) n) e
    join conversation f on f.project_id = g.project_id and f.id = a.first_id
    join conversation l on l.project_id = g.project_id and l.id = a.last_id
    left join conversation_detail d on d.project_id = g.project_id and d.id = a.last_id
   order by g.id desc
$function$
;

CREATE OR REPLACE FUNCTION public.read_mailed_link(p_link bytea)
 RETURNS TABLE(email text, seconds_left integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select c.email, extract(epoch from c.expires_at - now())::integer
    from sign_in_code c where c.link_hash = p_link and c.expires_at > now()
$function$
;

CREATE OR REPLACE FUNCTION public.read_sign_in_link(p_hash bytea)
 RETURNS TABLE(kind text, seconds_left integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select l.kind, extract(epoch from l.expires_at - now())::integer
    from sign_in_link l where l.token_hash = p_hash and l.expires_at > now()
     and (l.kind <> 'setup' or not has_users())
$function$
;

CREATE OR REPLACE FUNCTION public.read_usage(OUT stored bigint, OUT stored_max bigint, OUT requests bigint, OUT sent bigint, OUT deployments bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select u.bytes from storage_usage u where u.organisation_id = current_organisation()), 0),
         (select o.storage_bytes_max from organisation o where o.id = current_organisation()),
         coalesce(sum(t.requests), 0)::bigint, coalesce(sum(t.bytes), 0)::bigint,
         (select count(*) from deployment d
           where d.project_id = current_project() and d.created_at > now() - interval '30 days')
    from traffic t
   where t.project_id = current_project() and t.day > (now() at time zone 'utc')::date - 30
$function$
;

CREATE OR REPLACE FUNCTION public.reader_epoch()
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select a.epoch from site_access a where a.project_id = current_project()), 0)
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_moving()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  project bigint := current_project();
begin
  if project is null then return null; end if;
  perform pg_advisory_xact_lock_shared(moving_lock(project));
  if exists (select from project p where p.id = project and p.moving_since is not null) then
    raise exception 'the project is being moved to another cell' using errcode = 'OCM01';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.release_blobs(p_digests bytea[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  update collected_blob set finished_at = clock_timestamp() where sha256 = any (p_digests);
  delete from collected_blob where finished_at < now() - interval '1 day';
$function$
;

CREATE OR REPLACE FUNCTION public.remove_domain(p_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  update domain_claim c set state = 'removed', ended_at = now(), missing_since = null, redirects = false
   where c.project_id = current_project() and c.name = p_name and c.state <> 'removed';
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.renew_turn(p_turn text, p_lease text, p_text text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update turn set leased_until = clock_timestamp() + interval '30 seconds', saved_text = p_text
   where project_id = current_project() and id = p_turn and lease = p_lease and conversation_id is null;
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.retire_deployments()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  retired integer;
begin
  -- Whether it is live is asked of its own row, so that one which is published meanwhile is seen.
  update deployment d set state = 'expired', collected_at = null
   where d.state = 'ready'
     and (d.published_at is null or d.superseded_at is not null)
     and coalesce(d.superseded_at, d.finished_at) < now() - interval '30 days'
     and d.number <= (
       select k.number from deployment k where k.project_id = d.project_id and k.state = 'ready'
        order by k.number desc offset 50 limit 1);
  get diagnostics retired = row_count;
  delete from deployment_vectors v using deployment d
   where d.project_id = v.project_id and d.id = v.deployment_id and d.state <> 'ready';
  return retired;
end
$function$
;

CREATE OR REPLACE FUNCTION public.role_rank(p_role text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array_position(array['viewer', 'analyst', 'editor', 'admin', 'owner'], p_role)
$function$
;

CREATE OR REPLACE FUNCTION public.set_up(p_hash bytea, p_user_public_id text, p_name text, p_email text, p_organisation_public_id text, p_organisation text, p_project_public_id text, p_project text, p_slug text)
 RETURNS TABLE(user_id bigint, organisation_id bigint, project_id bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  new_user bigint;
  new_organisation bigint;
  new_project bigint;
begin
  -- Two who set up at once: the second waits, and finds users.
  lock table app_user in share row exclusive mode;
  if has_users() then return; end if;
  delete from sign_in_link l where l.token_hash = p_hash and l.kind = 'setup' and l.expires_at > now();
  if not found then return; end if;
  delete from sign_in_link l where l.kind = 'setup';
  insert into app_user (public_id, email, name) values (p_user_public_id, p_email, p_name)
    returning id into new_user;
  -- One that the command line made is taken over by its name.
  select o.id into new_organisation from organisation o where o.name = p_organisation
   order by o.created_at limit 1;
  if new_organisation is null then
    insert into organisation (public_id, name) values (p_organisation_public_id, p_organisation)
      returning id into new_organisation;
  end if;
  select p.id into new_project from project p
   where p.organisation_id = new_organisation and p.slug = p_slug;
  if new_project is null then
    insert into project (organisation_id, public_id, slug, name)
      values (new_organisation, p_project_public_id, p_slug, p_project) returning id into new_project;
    insert into project_sequence (project_id) values (new_project);
  end if;
  insert into membership (organisation_id, user_id, role) values (new_organisation, new_user, 'owner');
  return query select new_user, new_organisation, new_project;
end
$function$
;

CREATE OR REPLACE FUNCTION public.settle_turn(asked turn, answer json)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- A question without a lease has set nothing aside.
  if asked.reserved_on is null then return; end if;
  update assistant_use u
     set reserved_tokens = u.reserved_tokens - asked.reserved_tokens,
         used_tokens = u.used_tokens + coalesce((answer->>'usedTokens')::bigint, 0),
         saved_tokens = u.saved_tokens + coalesce((answer->>'savedTokens')::bigint, 0),
         cached = u.cached + coalesce((answer->>'isCached')::boolean, false)::integer
   where u.project_id = current_project() and u.day = asked.reserved_on;
end
$function$
;

CREATE OR REPLACE FUNCTION public.sign_in_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  person app_user;
begin
  select * into person from app_user u where u.email = p_email;
  if person.disabled_at is not null then return null; end if;
  if person.id is not null then return person.id; end if;
  return admit_by_email(p_email, p_may_join, p_may_be_invited, p_public_id, p_name);
end
$function$
;

CREATE OR REPLACE FUNCTION public.sign_in_by_identity(p_issuer text, p_subject text, p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text)
 RETURNS TABLE(user_id bigint, outcome text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  person app_user;
  admitted bigint;
begin
  update user_identity i set last_used_at = now()
    from app_user u where i.issuer = p_issuer and i.subject = p_subject and u.id = i.user_id
  returning u.* into person;
  if person.id is null then
    -- Two first sign-ins at once: the second waits, and finds what the first one made.
    perform pg_advisory_xact_lock(hashtextextended('octavo.sign_in_by_identity', 0));
    select u.* into person from user_identity i join app_user u on u.id = i.user_id
     where i.issuer = p_issuer and i.subject = p_subject;
  end if;
  if person.disabled_at is not null then return query select null::bigint, 'disabled'; return; end if;
  if person.id is not null then return query select person.id, 'known'; return; end if;
  if p_email is null then return query select null::bigint, 'unverified'; return; end if;
  select u.* into person from app_user u where u.email = p_email;
  if person.disabled_at is not null then return query select null::bigint, 'disabled'; return; end if;
  if person.id is null then
    admitted := admit_by_email(p_email, p_may_join, p_may_be_invited, p_public_id, p_name);
    if admitted is null then
      return query select null::bigint, case when has_users() then 'closed' else 'not-set-up' end;
      return;
    end if;
    insert into user_identity (user_id, issuer, subject) values (admitted, p_issuer, p_subject);
    return query select admitted, 'new';
    return;
  end if;
  -- The provider has given the address to another account: it must not get the person of the first one.
  if exists (select from user_identity i where i.user_id = person.id and i.issuer = p_issuer) then
    return query select null::bigint, 'other-account';
    return;
  end if;
  insert into user_identity (user_id, issuer, subject) values (person.id, p_issuer, p_subject);
  return query select person.id, 'linked';
end
$function$
;

CREATE OR REPLACE FUNCTION public.sign_in_tries(p_key bytea, p_seconds integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select coalesce((select c.used from sign_in_count c
    where c.key_hash = p_key and c.began_at > clock_timestamp() - p_seconds * interval '1 second'), 0)
$function$
;

CREATE OR REPLACE FUNCTION public.smallest_hashes(p_hashes bigint[])
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(array_agg(h order by h), '{}') from (select distinct h from unnest(p_hashes) h order by h limit 512) s
$function$
;

CREATE OR REPLACE FUNCTION public.spend_login_link(p_hash bytea)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  delete from sign_in_link l
   where l.token_hash = p_hash and l.kind = 'login' and l.expires_at > now()
  returning l.user_id
$function$
;

CREATE OR REPLACE FUNCTION public.spend_mailed_link(p_link bytea)
 RETURNS TABLE(email text, next_path text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  delete from sign_in_code c where c.link_hash = p_link and c.expires_at > now()
  returning c.email, c.next_path
$function$
;

CREATE OR REPLACE FUNCTION public.spend_once(p_hash bytea, p_lifetime interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  insert into spent_token (token_hash, expires_at) values (p_hash, now() + p_lifetime)
    on conflict do nothing;
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.spend_recovery_code(p_email text, p_code bytea)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  delete from recovery_code r using app_user u
   where u.email = p_email and u.disabled_at is null and r.user_id = u.id and r.code_hash = p_code
  returning r.user_id
$function$
;

CREATE OR REPLACE FUNCTION public.stop_builds(p_reason text)
 RETURNS void
 LANGUAGE sql
AS $function$
  update build b set state = 'cancelled', finished_at = now(), reason = p_reason
   where b.project_id = current_project() and b.state = 'queued';
  update build b set wants_cancel = true, reason = coalesce(b.reason, p_reason)
   where b.project_id = current_project() and b.state in ('fetching', 'building');
$function$
;

CREATE OR REPLACE FUNCTION public.store_events(p_host uuid, p_sequence bigint, p_projects bigint[], p_hours timestamp with time zone[], p_events text[], p_subjects text[], p_details text[], p_counts bigint[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  insert into event_batch as b (host, sequence) values (p_host, p_sequence)
    on conflict (host) do update set sequence = excluded.sequence, at = now() where b.sequence < excluded.sequence;
  if not found then return false; end if;
  with told as materialized (
    select p.id as project_id, u.event, u.subject, u.detail, u.count,
           -- There are partitions for the last days alone.
           date_trunc('hour', case when u.hour between now() - interval '1 day' and now() + interval '1 hour'
                                   then u.hour else now() end, 'UTC') as hour
      from unnest(p_projects, p_hours, p_events, p_subjects, p_details, p_counts)
           as u (project_id, hour, event, subject, detail, count)
      join project p on p.id = u.project_id and p.deleted_at is null),
  fresh as (
    select t.project_id, t.event, t.hour, t.subject, sum(t.count) as count from told t
     where not exists (select from event_hour h where h.project_id = t.project_id and h.event = t.event
                          and h.hour = t.hour and h.subject = t.subject)
     group by 1, 2, 3, 4),
  known as (
    select f.project_id, f.event, f.hour,
           (select count(distinct h.subject) from event_hour h
             where h.project_id = f.project_id and h.event = f.event and h.hour = f.hour) as count
      from (select distinct project_id, event, hour from fresh) f),
  surplus as (
    select project_id, event, hour, subject from (
      select f.*, k.count + row_number() over (
               partition by f.project_id, f.event, f.hour order by f.count desc, f.subject) as place
        from fresh f join known k using (project_id, event, hour)) ranked
     where place > event_subjects_max()),
  counted as (
    select t.project_id, t.event, t.hour, case when s.subject is null then t.subject else '(other)' end as subject,
           t.detail, sum(t.count)::bigint as count
      from told t left join surplus s using (project_id, event, hour, subject)
     group by 1, 2, 3, 4, 5),
  hours as (
    insert into event_hour as h (project_id, event, hour, subject, detail, count)
      select c.* from counted c order by 1, 2, 3, 4, 5
      on conflict (project_id, event, hour, subject, detail) do update set count = h.count + excluded.count)
  insert into event_day as d (project_id, event, day, subject, detail, count, last_at)
    select c.project_id, c.event, (c.hour at time zone 'UTC')::date, c.subject, c.detail, sum(c.count), now()
      from counted c group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (project_id, event, day, subject, detail)
      do update set count = d.count + excluded.count, last_at = excluded.last_at;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.store_visitors(p_projects bigint[], p_days date[], p_subjects text[], p_details text[], p_hashes bigint[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  with told as (
    select p.id as project_id, u.day, u.subject, u.detail, smallest_hashes(array_agg(u.hash)) as hashes
      from unnest(p_projects, p_days, p_subjects, p_details, p_hashes) as u (project_id, day, subject, detail, hash)
      join project p on p.id = u.project_id and p.deleted_at is null
      join visitor_salt s on s.day = u.day
     group by 1, 2, 3, 4),
  grown as (
    insert into visitor_set as v (project_id, day, subject, detail, hashes)
      select t.* from told t order by 1, 2, 3, 4
      on conflict (project_id, day, subject, detail) do update set hashes = smallest_hashes(v.hashes || excluded.hashes)
        where exists (select from unnest(excluded.hashes) h
                       where h <> all (v.hashes) and (cardinality(v.hashes) < 512 or h < v.hashes[512]))
      returning v.*)
  insert into event_day as d (project_id, event, day, subject, detail, count, last_at)
    select g.project_id, 'visitor', g.day, g.subject, g.detail, count_visitors(g.hashes), now() from grown g
     order by 1, 3, 4, 5
    on conflict (project_id, event, day, subject, detail)
      do update set count = greatest(d.count, excluded.count), last_at = excluded.last_at
$function$
;

CREATE OR REPLACE FUNCTION public.take_build(p_attempts_max integer, OUT id text, OUT state text)
 RETURNS SETOF record
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
  candidate build;
begin
  for candidate in
    select b.* from build b
     where b.project_id = project and b.state in ('queued', 'fetching', 'building', 'uploading')
     order by (b.state <> 'queued') desc, (b.target = 'production') desc, b.number
       for update
  loop
    id := candidate.id;
    state := case
      when candidate.wants_cancel and candidate.state <> 'uploading' then ended_state(candidate)
      when candidate.attempts >= p_attempts_max then 'failed'
      else 'fetching' end;
    update build b set state = take_build.state, attempts = b.attempts + 1, started_at = coalesce(b.started_at, now()),
        finished_at = case when take_build.state <> 'fetching' then now() end,
        reason = case when take_build.state = 'fetching' then null
          else coalesce(b.reason, 'The build was interrupted ' || p_attempts_max || ' times.') end
     where b.project_id = project and b.id = candidate.id;
    return next;
    exit when state = 'fetching';
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_down_deployment(p_id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := current_project();
begin
  perform from publication p where p.project_id = project for update;
  update deployment d set state = 'removed', finished_at = coalesce(d.finished_at, now()), collected_at = null,
      superseded_at = case when d.published_at is not null then coalesce(d.superseded_at, now()) end
   where d.project_id = project and d.id = p_id and d.state <> 'removed';
  if not found then return false; end if;
  delete from deployment_vectors v where v.project_id = project and v.deployment_id = p_id;
  update publication p set deployment_id = null where p.project_id = project and p.deployment_id = p_id;
  -- Also a deployment that was live before was served: its files were.
  update publication p set changed_at = clock_timestamp() where p.project_id = project;
  update preview v set changed_at = clock_timestamp() where v.project_id = project and v.deployment_id = p_id;
  perform pg_notify('octavo_sites', p.slug) from project p where p.id = project;
  return true;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_due_checks(p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  with due as (
    select c.project_id, p.organisation_id
      from connection c join project p on p.id = c.project_id
     where c.next_check_at <= now() and is_served(p) and p.moving_since is null
     order by c.next_check_at limit p_limit
     for update of c skip locked)
  update connection c set next_check_at = now() + check_pause(c.check_failures)
    from due where c.project_id = due.project_id
  returning due.organisation_id, c.project_id
$function$
;

CREATE OR REPLACE FUNCTION public.take_due_domains(p_limit integer)
 RETURNS TABLE(organisation_id bigint, project_id bigint, name text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  update domain_claim c
     set next_check_at = now() + case
           when c.state = 'waiting' and c.created_at > now() - interval '2 days' then interval '15 minutes'
           else interval '1 day' end
    from (select d.project_id, d.name, p.organisation_id from domain_claim d join project p on p.id = d.project_id
           where d.next_check_at <= now() and d.state <> 'removed' and p.deleted_at is null and p.moving_since is null
           order by d.next_check_at limit p_limit for update of d skip locked) due
   where c.project_id = due.project_id and c.name = due.name
  returning due.organisation_id, c.project_id, c.name
$function$
;

CREATE OR REPLACE FUNCTION public.take_over_claims()
 RETURNS SETOF bytea
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  update collected_blob set claimed_at = clock_timestamp()
   where finished_at is null and claimed_at < clock_timestamp() - interval '10 minutes'
  returning sha256
$function$
;

CREATE OR REPLACE FUNCTION public.tell_hosts(p_project bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  update publication p set changed_at = clock_timestamp() where p.project_id = p_project;
  update preview v set changed_at = clock_timestamp() where v.project_id = p_project;
  select pg_notify('octavo_sites', s.slug) from project_slug s where s.project_id = p_project;
  select pg_notify('octavo_sites', 'preview/' || v.name) from preview v where v.project_id = p_project;
$function$
;

CREATE OR REPLACE FUNCTION public.transfer_project(p_user bigint, p_to bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  project bigint := current_project();
  old_organisation bigint := current_organisation();
  moved bigint;
begin
  -- Uploads of a moment ago are counted, and those of the next moment count for the new organisation.
  perform pg_advisory_xact_lock(collection_lock());
  perform from organisation o where o.id in (old_organisation, p_to) order by o.id for update;
  perform from project p where p.organisation_id = old_organisation and p.id = project for update;
  if not found then return 'not-found'; end if;
  if not exists (
    select from membership m join organisation o on o.id = m.organisation_id and o.deleted_at is null
     where m.organisation_id = p_to and m.user_id = p_user and m.project_id is null and m.role = 'owner')
  then return 'not-owner'; end if;
  select coalesce(sum(b.size), 0) into moved from project_blob b where b.project_id = project;
  if exists (
    select from organisation o left join storage_usage u on u.organisation_id = o.id
     where o.id = p_to and coalesce(u.bytes, 0) + moved > o.storage_bytes_max)
  then return 'storage'; end if;
  delete from membership m where m.organisation_id = old_organisation and m.project_id = project;
  delete from invitation i where i.organisation_id = old_organisation and i.project_id = project;
  update audit_event e set organisation_id = p_to where e.organisation_id = old_organisation and e.project_id = project;
  update project p set organisation_id = p_to where p.organisation_id = old_organisation and p.id = project;
  update storage_usage u set bytes = u.bytes - moved where u.organisation_id = old_organisation;
  insert into storage_usage as u (organisation_id, bytes) values (p_to, moved)
    on conflict (organisation_id) do update set bytes = u.bytes + excluded.bytes;
  -- Jobs that wait go on in the new organisation.
  update jobs.job j set data = j.data || jsonb_build_object('organisationId', p_to::text), group_id = p_to::text
   where j.singleton_key = project::text and j.data ->> 'organisationId' = old_organisation::text
     and j.state in ('created', 'retry', 'active');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.try_sign_in_code(p_browser bytea, p_code bytea)
 RETURNS TABLE(outcome text, email text, next_path text, tries_left integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
declare
  row sign_in_code;
begin
  update sign_in_code c set tries_left = c.tries_left - 1
   where c.browser_hash = p_browser and c.tries_left > 0 and c.expires_at > now()
  returning * into row;
  if row.browser_hash is null then
    return query select 'over', null::text, null::text, 0;
  elsif row.code_hash = p_code then
    delete from sign_in_code c where c.browser_hash = p_browser;
    return query select 'right', row.email, row.next_path, 0;
  else
    return query select 'wrong', row.email, row.next_path, row.tries_left;
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.ulid_floor(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select ulid_floor((extract(epoch from at) * 1000)::bigint)
$function$
;

CREATE OR REPLACE FUNCTION public.ulid_floor(ms bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select base32(ms, 10) || '0000000000000000'
$function$
;

CREATE OR REPLACE FUNCTION public.visitor_salt(p_day date)
 RETURNS bytea
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
begin
  if p_day not between (now() at time zone 'UTC')::date and (now() at time zone 'UTC')::date + 1 then return null; end if;
  insert into visitor_salt (day, salt)
    values (p_day, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) on conflict do nothing;
  return (select s.salt from visitor_salt s where s.day = p_day);
end
$function$
;
