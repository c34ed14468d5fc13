-- People who own sites: who they are, where they are signed in, and what they may do.
--
-- What belongs to one person has user_id first in its key and is seen by a transaction that is bound
-- to that person; what belongs to an organisation is seen by its own.

create table app_user (
  id          bigint primary key default random_id(),
  public_id   text not null unique check (public_id ~ '^usr_[0-9a-z]{16}$'),
  email       text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name        text not null check (length(name) between 1 and 200),
  created_at  timestamptz not null default now(),
  disabled_at timestamptz
);

-- A browser or a command line that is signed in. Signing out deletes the row.
create table user_session (
  user_id        bigint not null references app_user on delete cascade,
  id             bigint not null default random_id(),
  token_hash     bytea not null unique,
  kind           text not null check (kind in ('browser', 'command-line')),
  -- What the browser says it is, shortened; for people to know their own sessions.
  device         text not null default '' check (length(device) <= 200),
  -- The network that it was begun from, not the whole address.
  address_prefix text,
  created_at     timestamptz not null default now(),
  -- When the person last proved who they are; dangerous actions want it to be recent.
  proved_at      timestamptz not null default now(),
  last_seen_at   timestamptz not null default now(),
  expires_at     timestamptz not null,
  primary key (user_id, id)
);

-- A link that signs somebody in once, or lets the first owner set up the service.
create table sign_in_link (
  token_hash bytea primary key,
  kind       text not null check (kind in ('setup', 'login')),
  user_id    bigint references app_user on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((kind = 'setup') = (user_id is null))
);

create table membership (
  organisation_id bigint not null references organisation on delete cascade,
  id              bigint not null default random_id(),
  user_id         bigint not null references app_user on delete cascade,
  -- One project; all of the organisation without it.
  project_id      bigint,
  role            text not null check (role in ('owner', 'admin', 'editor', 'analyst', 'viewer')),
  created_at      timestamptz not null default now(),
  primary key (organisation_id, id),
  unique nulls not distinct (organisation_id, user_id, project_id),
  foreign key (organisation_id, project_id) references project (organisation_id, id) on delete cascade
);
create index membership_user on membership (user_id);

-- Accepting or withdrawing one deletes it.
create table invitation (
  organisation_id bigint not null references organisation on delete cascade,
  id              bigint not null default random_id(),
  token_hash      bytea not null unique,
  email           text not null check (email = lower(email) and length(email) between 3 and 254),
  project_id      bigint,
  role            text not null check (role in ('owner', 'admin', 'editor', 'analyst', 'viewer')),
  invited_by      text not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  primary key (organisation_id, id),
  unique nulls not distinct (organisation_id, email, project_id),
  foreign key (organisation_id, project_id) references project (organisation_id, id) on delete cascade
);

alter table app_user enable row level security;
create policy one_user on app_user to octavo_app using (
  id = nullif(current_setting('octavo.user_id', true), '')::bigint
  or exists (select from membership m
              where m.user_id = app_user.id
                and m.organisation_id = nullif(current_setting('octavo.organisation_id', true), '')::bigint));
alter table user_session enable row level security;
create policy one_user on user_session to octavo_app
  using (user_id = nullif(current_setting('octavo.user_id', true), '')::bigint);
-- Nobody reads them but the functions that spend them.
alter table sign_in_link enable row level security;
create policy nobody on sign_in_link to octavo_app using (false);
alter table membership enable row level security;
create policy one_organisation on membership to octavo_app
  using (organisation_id = nullif(current_setting('octavo.organisation_id', true), '')::bigint);
alter table invitation enable row level security;
create policy one_organisation on invitation to octavo_app
  using (organisation_id = nullif(current_setting('octavo.organisation_id', true), '')::bigint);

grant select on app_user to octavo_app;
grant update (name) on app_user to octavo_app;
grant select, insert, delete on user_session to octavo_app;
grant update (last_seen_at, proved_at) on user_session to octavo_app;
grant select on sign_in_link to octavo_app;
grant select, insert, delete on membership, invitation to octavo_app;
grant update (role) on membership to octavo_app;
-- Owners make projects by themselves.
grant insert (organisation_id, public_id, slug, name) on project to octavo_app;
